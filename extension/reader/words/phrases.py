"""List the operator phrases: words of a question that name nothing in a database, such as "how many" and "more than".

`Grammar` has a method for most kinds. A phrase may be in several entries; each becomes a mark of its own, and the best
cut decides between them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import product

from askwhere.frozen import frozen
from askwhere.reader.words.measures import MEASURES
from askwhere.reader.words.units import UNITS


@frozen
class Operator:
    """The meaning of a phrase: its `kind`, and an `argument` that refines it, such as '>' for the kind 'comp'."""

    kind: str
    argument: str = ""


# A kind and its argument before each colon, then patterns of phrases, whose braces hold alternatives as in a shell. A
# 'soft' filler means nothing unless the schema has such a name, and a 'tail' nothing behind the name of a column:
# "snatch score", "enrollment size".
_TABLE = """
open: what{, is, are, was, were, 's, does, do, would be} | which{, is, are, of} | who{, is, are} | whose
  | show{, me} | list{, out} | find{, out} | give{, me} | return{, me} | tell{, me} | display | get | please
  | {can,could} you | i {want,need,would like}{, to know, to see, to have}
  | i am {looking for,interested in} | provide{, me} | report | state | name | select
  | compute | calculate | determine | retrieve | print | identify | let me know | do you know | see | fetch
  | {give me,show me,} a list of | {the ,full ,}list of | {in,for,on,at,by,from,to} {which,what} | of which
count: how many{, number of} | {the ,}{total ,}{number,count} of | count{, the, the number of} | numbers of
  | headcount of
count heads: headcount
someone: {someone,somebody}{, else} | others | other people
versus: vs{,.} | versus | against | {as ,}{compared,opposed} to | compared with
change: {the ,}{growth,change,changes,increase,rise,difference} in | {the ,}{growth,change,changes,increase,rise} of
  | {,the ,year on year }{growth,change,increase} {,in ,of }
  | {the ,}growth rate{, of} | {the ,}{percent,percentage} {change,growth,increase} {in,of}
growth: by how {much,many}{, percent, per cent}{, did, has, have}
  | by {what,which} {percent,percentage}{, did, has, have} | how {did,has,have}
grows: grow | grew | grown | change{,d} | increase{,d} | rise | rose | risen
more >: more | higher | greater | larger | bigger
more <: fewer | less | lower | smaller
than: than{, there are, it has}
compare: compare{, the} | {a ,}comparison {of,between} | comparing
compare max: {are,is,were,was} there more | {do we have,have we} more{, of} | did we {have,get,do} more
compare min: {are there,were there,do we have,did we have,did we get,did we do} {fewer,less}
times: how often | how many times | {the ,}number of times
much: how much{, money}{, in total}
sold max: {best,top,highest} selling | bestselling | {the ,}most sold
sold min: {worst,lowest} selling | {the ,}least sold
agg avg: average | mean | avg | {the ,}average of | on average
agg sum: total{, sum}{, of} | sum{, of, up} | combined | overall
agg median: {the ,}median{, of, value of}
sup max: highest | largest | greatest | biggest | maximum | max | {the ,}most | top | maximal | {the ,}best
sup min: lowest | smallest | minimum | min | {the ,}least | {the ,}fewest | minimal | bottom | {the ,}worst
ordinal 2: second | 2nd
ordinal 3: third | 3rd
ordinal 4: fourth | 4th
ordinal 5: fifth | 5th
supcount max: {most,largest,highest,greatest,maximum,biggest} {number,numbers,amount,count} of
supcount min: {least,smallest,lowest,fewest,minimum} {number,numbers,amount,count} of
common max: most {common,popular,frequent,prominent,numerous,commonly} | {the ,}most {often,frequently,times} | busiest
  | {the ,}{most,largest,highest,greatest} number of times | most {commonly ,frequently ,widely ,}used
common min: least {common,popular,frequent,commonly,frequently,often} | least {commonly ,frequently ,}used | rarest
nth min: {very ,}first
nth max: {very ,}last
order: {sorted,ordered,ranked,listed,arranged} {by,in} | {sorted,ordered} according to | sorted | ordered | sort
  | {sort,order}{, them, the list, the result, the results, results} {by,in} | rank them by | list{, them} in
  | {in ,in the ,sorted in the ,}order of
order asc: {in ,in the ,in an ,by ,sorted in ,}{ascending,increasing,alphabetical,alphabetic,lexicographical,
  lexicographic,chronological} order {of,by} | {sorted ,ordered ,}alphabetically by | {by,in} ascending
  | in order of {increasing,ascending} | in ascending alphabetical order of
order desc: {in ,in the ,in a ,in an ,by ,}{descending,decreasing,reverse,reverse alphabetical} order {of,by}
  | {by,in} descending | in order of {descending,decreasing}
direction asc: {from ,}a {to,-,\u2013} z | a z
  | {in ,in the ,in an ,}{ascending,increasing,alphabetical,alphabetic,lexicographical,lexicographic,
  chronological,ascending alphabetical,alphabetical ascending,ascending lexicographical} order | ascending | increasing
  | alphabetically | alphabetical | lexicographically | chronologically | in order of alphabet | from low to high
  | from {small to large,early to late}
  | from {the ,}{lowest,smallest,least,earliest,oldest} to {the ,}{highest,largest,greatest,most,latest,most recent}
direction desc: {,from }{most to least,most to fewest,high to low,highest to lowest,best to worst,large to small}
  | {in ,in the ,in a ,}{descending,decreasing,reverse,reverse alphabetical,reverse chronological,
  reverse lexicographical,descending alphabetical,descending lexicographical} order | descending | decreasing
  | from late to early | {from ,}z to a
  | from {the ,}{highest,largest,most,latest,newest,most recent} to {the ,}{lowest,smallest,least,earliest,oldest,
  least recent}
each: {for ,of ,in ,by ,at ,from ,on ,to ,with ,within ,under ,}each{, one, different, distinct} | {for ,}each of the
  | {for ,in ,of ,}every | per | group{,ed} by | broken down by | {for,for the,in,across,by} different
comp >: {more,greater,larger,higher,bigger,longer,older} than | above | over | exceed{,s,ed,ing} | > | is above
  | in excess of | upwards of | beyond | greater
comp <: {less,fewer,smaller,lower,shorter} than | below | under | < | is below | in {less than,under}
comp >=: at least | at or {above,over}
  | {no,not} {less,fewer,lower} than | {more,greater,larger,higher,bigger} than or equal{,s} to | >=
  | {a ,}minimum of | {equal,equals} to or {more,greater} than | equal or greater than
comp <=: at most | at or {below,under}
  | {no,not} {more,greater} than | {less,smaller,lower} than or equal{,s} to | <= | up to
  | {a ,}maximum of | equal to or less than | not exceeding | no later than | within
comp =: exactly | {is ,}equal to | equal{,s} | equals to | = | == | the same as | precisely | only
comp !=: not equal to | does not equal | {different,differs} from | other than | != | <>
after >=: or {more,above,higher,greater,over,older,larger,later,longer,after,better} | and {above,over,older,later}
after <=: or {less,fewer,below,lower,under,younger,smaller,earlier,before,shorter} | and {below,under}
when >: after | later than | since after | following
when >=: since | {in,on} or after | starting from | from the year | {since,from} the {start,beginning} of
when <: before | earlier than | prior to
when <=: until | {in,on} or before | by the year | {by,before,until,till} the end of
between: {in ,from ,is ,are ,}between | rang{ing,es} from | in the range{, of, between}
like start: {start,starts,starting,begin,begins,beginning} with{, letter, the letter, the letters} | starts from
  | starting letter | {has the ,have the ,with ,with the ,}prefix
like end: {end,ends,ending} {with,in} | {end,ends,ending} with {the ,}{letter,letters} | {has the,with,with the} suffix
  | ends by
like in: {contain,contains,containing,include,includes,including} | that {contains,includes} | like
  | {mention,mentions,mentioning}
  | {contain,contains,containing,include,includes,including,has,have,having,with} {the ,a ,}{word,words,letter,letters,
  phrase,string,substring}
stocked =: out of stock | {we are,are we} out of | {we have ,we ,have ,has ,}{run,ran,running} out{, of} | sold out
  | not in stock
stocked >: in stock
stocked free: free{, of charge} | for free | {that ,which ,}cost{,s} {,us }nothing
current: current | active | open | ongoing | in progress | under way | underway | open ended | unexpired
  | {still ,currently ,still in ,}{running,going on,ongoing,in progress,valid,force} | {still,currently} {open,active}
  | {work,works,working} here | still {here,around,with us,there,out,employed,work here,works here,working here}
  | still {work,works,working} {for,with} us
upcoming: upcoming | future | forthcoming
upcoming next: next
current past: expired | lapsed | former | past
altogether: in total{, so far} | in all | altogether | all told | taken together | all together
excess: {the ,}difference | {the ,}gap | {,by }how much {less,more,over,under,below,above,too much}
  | how much is missing
  | {the ,}{excess,shortfall} | {the ,how many ,number of ,the number of }days over
lateness: {,how many ,number of ,the number of ,by how many }days {late,overdue,too late,behind schedule}
overdue: {too ,}late | behind schedule | delayed
overdue open: overdue | past due | past {their,its,the} due date
not: not | outside{, of}
  | {is ,are ,was ,were ,}no longer | {is,are,was,were,do,does,did,has,have,had,can,but,and} not | cannot | nor
  | {has ,have ,is ,are ,was ,were ,}never | {that ,}{nobody,no one} has{, ever} | nobody ever
without: {,still }without{, any} | no | {do,does,did} not {have,own}{, any} | {do,does} not contain any
  | not any
  | not have{, any} | {have,has,had,having,with,that have} no | {has ,have ,}never had{, any}
  | never have | {has,have} not had{, any} | there {is,are} no | {has,have,had,with} {nobody,no one}
  | {that ,which ,}{nobody,no one} | {lack,lacks,lacking,awaiting}{, a, an, any}
  | {still ,}{missing,waiting for,awaiting} {a,an,their,its} | still {need,needs,lack,lacks} | but none
except: except{, for} | {anything,all,everything,everyone,any} but
  | {but ,}{excluding,exclude} | {apart,aside} from | besides | {but ,}{leaving,leave} out
  | {but ,}{not,without} {counting,including} | {but ,}{ignore,ignoring,omit,omitting,disregarding,skip,skipping}
  | with the exception of
skipped: {can be ,may be ,should be ,are ,}{left out,skipped,ignored,omitted,excluded,dropped,not counted,not included}
  | {put ,set ,}aside | {do,does,should,must} not count
included: {can be ,may be ,should be ,are ,}included
both: both
either: either | any of | one of
and: and{, also, then, the corresponding} | as well as | {along,together} with | but{, also} | while | also
  | in addition to | plus | & | +
comma: , | ; | : | - | \u2013 | \u2014
or: or | and or
distinct: distinct | different | unique | various
case upper: {in ,all in ,written in ,}{capitals,capital letters,upper case,uppercase,block letters,block capitals}
case lower: {in ,all in ,written in ,}{lower case,lowercase,small letters,lower case letters}
characters: {letter,character}{,s}{, long, in length} | chars
once: {each,every} {,one ,value }{,listed ,shown }{just ,only ,}once | {just ,only ,listed ,}once each
  | {no,without,without any} {duplicates,repeats,repetitions,doubles} | {without,no} {duplicate,repeated} rows
percent: {the ,what ,}{percentage,percent,share,fraction,proportion} of | per cent of | % of
  | as a {percentage,percent,share,fraction,proportion} of
difference: {the ,}difference {between,of} | gap between
margin: margin | {profit,unit} margin | profit per {item,unit} | markup
elapsed: {how many ,number of ,the number of ,time in ,}days | how long | time
elapsed hours: {how many ,number of ,the number of ,time in ,}hours
elapsed minutes: {how many ,number of ,the number of ,time in ,}minutes
same: {the ,}same
ratio: {the ,}ratio {of,between}
worth: worth
sign difference: minus
sign product: multiplied by | times | x
sign ratio: divided by
average: {the ,}average | the mean | the overall average | the average {of,value} | an average | averages
whole: all {the ,of the ,}{information,details}{, about, of, for} | all info about | {information,details} about
  | the information of | details for | all {the ,}columns of | all columns | every detail of
  | {everything,all} {,we have ,we know ,you have ,there is ,on record ,on file }{on,about,for,of}
  | {everything,all} {we have,there is,on record,on file} | {everything,all} we know
  | {the ,}{full,complete,entire,whole} {record,records,details,entry,information,row,rows,data}{, of, on, about, for}
  | what {do we have,do we know,is on record,is on file,is recorded,is known} {on,about,for} | all {data,fields}{, of}
null: {is ,are ,}{null,missing} | unknown | blank | empty
all: all{, the, of the} | any{, of the, kind of} | some
prep of: {out ,}of | of the | among{,st, the} | {that,which} belong to | belonging to
prep for: for{, the} | about | regarding | concerning | corresponding to | associated with | related to
  | with respect to | according to
prep in: in{, the, the state of, the year of} | at{, the} | on{, the} | inside | within | into | throughout | during
  | located {in,at,on}
prep from: {out ,come ,comes ,came ,coming ,are ,is ,that come ,}from
prep to: to | toward{,s} | onto
prep by: by{, the} | via | through | using | based on | under the | in terms of{, the}
prep with: with{, a, an, the} | w / | {together with,alongside,beside}{, a, an, the}
prep across: across{, all} | over all
link: {look,looks,looked,looking} after | {take,takes,took} care of | {is,are,was,were} {in charge of,responsible for}
rel: that | who | which | where | whom | having | whose | when | if | such that | as | {in,for,with,on,at,of,to,from}
  which | {to,by} whom
have: have | has | had | having | own{,s,ed} | possess{,es} | hold{,s} | get{,s} | got
be: {is,are,was,were} | be | been | being | {has,have,had} been | {is,are} the | will be | {is ,are ,}called
  | {is ,}{named,titled} | entitled | whose name is | {named,denoted,labeled,known,} as | with {the ,}name
  | with value{,s}
own: 's | '
their: {their,its,his,her}{, own} | his or her | {the ,their ,and ,}corresponding | {the ,their ,}respective
  | {the ,}associated
fill: the | a | an | do | does | did | there | {there ,}{is,are,was,were} | {are,is,were,was} there | we | us | me | i
  | you | it | they | them | this | these | those | he | she | our | my | your | own | so | too
  | {do we,we,you,do you} have | {do,have,did} we | by us | are there in total | respectively | please | exist{,s,ing}
  | here | {that,who,which} {is,are} | {who,that} {was,were}
  | {listed,recorded,stored} | {are,is} listed | is recorded | {has,have} been | been | can | could | would | should
  | will | may | must | be | ever{, yet} | yet | already | still | also | then | actually | currently
  | presently | now | right now | at {the moment,present} | so far | to date
  | in {the ,our ,this }database{,s} | in the {table,record,records,system,
  list,data,dataset,whole,register,catalogue,catalog,archive,files,books} | {the ,}values of
  | {records,entries,instances} of | on {file,record,the list,our books,the books}
  | a total of | entire | given | certain | particular | specific | individual | are in | of them
  | {the ,those ,}ones | one | any | at all | in {days,percent,per cent} | as a percentage
  | {in ,as ,}{two,2,three,3,separate} {columns,figures,numbers} | {in ,}{one,a single} {row,line}
  | for us | side by side | of the following | out | up
  | {take,takes,took,taken} place | some | anything | something | anyone | anybody
  | should {show,appear,be shown,be listed,be included}{, up}
  | {hi,hello,hey,pls,plz,just,thanks,thx,ta,cheers} | many thanks
  | thank you{, very much, so much} | good {morning,afternoon,evening} | quick {one,question}
  | {spelled,spelt,written} out | in {full,words,plain words,full words}
  | a single{, one} | even one | even a single | if any
  | {across,over} all {years,months} | {across,over} all the years
  | all {,the }years {together,combined,lumped together}
  | of all time
  | for those {that,who} have one | if they have one | for each of them
  | 0 {=,is,being,for,means,meaning} sunday
fill soft: in the {company,firm,business,organisation,organization,plant,league,shop,house}
  | we {deal,work,trade} with
  | table | ordered | placed | member{,s} | result{,s} | available | manner | instance{,s} | item | entry
  | record{,s} | entries
unit: years old | year old | years of age | percent | % | points of | time{,s} | square kilomet{ers,res} | tons
  | people | inhabitants
tail: totals | sums | counts | figures | value{,s} | score{,s} | size{,s} | rate{,s} | amount{,s} | scheme | level
  | data | year{,s} | type{,s} | name{,s} | information
stop: ? | . | ! | ?. | .. | ... | ( | )
"""

# Words that turn a question round or say when. They are neither left out nor taken for a name, even if no rule of the
# grammar reads them.
NEVER_LEFT_OUT = frozenset(
    "how why when where whether if unless instead same another next previous past future half double total similar"
    " dislike recently nobody none nothing neither ago today yesterday tomorrow reverse reversed outside"
    " against".split()
)

# Stems of what a database consists of: "show tables" asks for no table that is called nearly so.
PARTS_OF_DATABASES = frozenset({"tabl", "column", "databas", "schema"})

# Verbs that only relate two tables, so that they mean the join: stems, and irregular forms as they are written.
LINKING = frozenset(
    """
    accept access act advertis advis affect affili air appear appli apply approv arriv assign associ attend base
    bear became becom began begin belong board book bore born borrow bought bring broadcast brought build built
    buy call came captain carri cast caus certifi charg choos chose chosen come compet complet connect consist
    contain contribut correspond cost cover creat cross deliv deliver depart describ die direct discov do done
    draw drew drive driven earn elect employ end enrol enroll enter establish exhibit exist fail featur finish
    flew flow fly follow found fund gave get give go gotten graduat happen have head held help hire hold host
    hous includ injur invent invest involv issu send sent join keep kept kill known land launch lead led lend lent lie
    like link list live locat made major make manag match meet mentor met minor name need nomin obtain occur
    offer open order origin own pai paid park particip pass pay perform place play possess post practic prefer
    prescrib process produc provid publish purchas raise ran reach receiv record register relat releas rent
    report repres request requir reserv respons run saw see seen sell serv share ship show sign situat sold
    speak specialis specializ spend spent spoke spoken sponsor star start stay stop store studi submit supervis
    suppli support take taken talk taught teach titl took trade train transmit travel treat us use visit vote
    watch wear went win won work wound write written wrote handl collect overse conduct assist issu file bill stream
    leav download listen log process administ quit resign expir laps sail row
    lasted lasting
    """.split()
)

# Stems of verbs that say how something ended or what became of it, so that they mean some of it.
ENDING = frozenset(
    """
    abandon abort accept approv break broke broken bounc cancel clear clos complet damag declin default defer delai
    delay deni destroi destroy disput drop escal expir extend fail finish forfeit forgot forgotten interrupt late lose
    lost miss overran overrun paus postpon redeem refund refus reject renew reopen repeat reschedul resolv return
    revers revok settl shorten skip stole stolen suspend termin upgrad waiv withdraw withdrawn withdrew
    """.split()
)

# Stems of verbs that select the origin ('from') or the destination ('to') of a route.
WAYS = {"from": frozenset("depart leav origin sourc start".split()), "to": frozenset("arriv land destin end".split())}


def _expanded(pattern: str) -> Iterator[str]:
    """Yield the phrases of a pattern, whose braces are not nested.

    >>> list(_expanded("{the ,}end{,s}"))
    ['end', 'ends', 'the end', 'the ends']
    """
    parts = re.split(r"[{}]", pattern)  # every second one was in braces
    return map("".join, product(*(part.split(",") if i % 2 else (part,) for i, part in enumerate(parts))))


def _operators() -> dict[tuple[str, ...], tuple[Operator, ...]]:
    """Return the operators of each phrase, given by its words."""
    operators: dict[tuple[str, ...], tuple[Operator, ...]] = {}
    for entry in re.sub(r"\n +", " ", _TABLE.strip()).splitlines():
        head, patterns = entry.split(":", 1)
        kind, _, argument = head.partition(" ")
        operator = Operator(kind, argument)
        for phrase in (p for pattern in patterns.split(" | ") for p in _expanded(pattern)):
            words = tuple(phrase.split())
            if operator not in operators.get(words, ()):
                operators[words] = (*operators.get(words, ()), operator)
    for unit in UNITS.keys() - {"in"}:
        operators[(unit,)] = (*operators.get((unit,), ()), Operator("unit"))
    return operators


WORD = _operators()
LONGEST = max(map(len, (*WORD, *MEASURES)))
