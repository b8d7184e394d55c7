"""The operator phrases: words of a question that name nothing in a database, such as "how many" and "more than".

`_TABLE` lists them as `(kind, argument, phrases)`, with the phrases separated by `|`. `grammar` has a method for most
kinds. A phrase may be in several entries; each becomes a mark of its own, and the best cut decides.
"""

from __future__ import annotations

from dataclasses import dataclass

from askwhere.reader.measures import MEASURES
from askwhere.reader.units import UNITS


@dataclass(frozen=True)
class Operator:
    """The meaning of a phrase: its `kind`, and an `argument` that refines it, such as '>' for the kind 'comp'."""

    kind: str
    argument: str = ""


_TABLE: tuple[tuple[str, str, str], ...] = (
    # What a question asks for: things, a count, an amount of money, an aggregate.
    (
        "open",
        "",
        "what is | what are | what was | what were | what's | what | which | which are | which is | who | who is"
        " | who are | whose | show | show me | list | list out | find | find out | give | give me | return"
        " | tell me | tell | display | get | please | can you | could you | i want to know | i want"
        " | i would like to know | i need | provide | provide me | report | state | name | select | what do"
        " | what does | which of | compute | calculate | determine | retrieve | print | identify | let me know"
        " | do you know | see | fetch | give me a list of | show me a list of | a list of | the list of"
        " | in which | in what | for which | for what | on which | on what | at which | at what | by which"
        " | from which | to which | of which | return me | what would be",
    ),
    (
        "count",
        "",
        "how many | number of | the number of | total number of | the total number of | count of | count"
        " | count the number of | count the | how many number of | total count of | the count of | numbers of",
    ),
    # Two groups that are compared.
    ("versus", "", "vs | versus | vs. | compared to | compared with | as opposed to | as compared to"),
    (
        "change",
        "",
        "growth in | growth of | growth | change in | the change in | changes in | the growth in | growth rate of",
    ),
    ("more", ">", "more"),
    ("more", "<", "fewer | less"),
    ("than", "", "than | than there are | than it has"),
    ("compare", "", "compare | compare the | comparison of | a comparison of | a comparison between | comparing"),
    ("compare", "max", "are there more | do we have more | have we more | is there more | do we have more of"),
    ("compare", "min", "are there fewer | do we have fewer | are there less | do we have less"),
    (
        "times",
        "",
        "how many times | how often | number of times | the number of times",
    ),
    (
        "much",
        "",
        "how much | how much money | how much in total | how much money in total",
    ),
    (
        "sold",
        "max",
        "best selling | top selling | bestselling | most sold | the most sold | highest selling",
    ),
    (
        "sold",
        "min",
        "worst selling | least sold | the least sold | lowest selling",
    ),
    (
        "agg",
        "avg",
        "average | mean | avg | the average of | average of | on average",
    ),
    (
        "agg",
        "sum",
        "total | sum | sum of | sum up | combined | overall | total of | in total of | total sum of",
    ),
    ("agg", "median", "median | the median | median of | the median of | median value of"),
    # Superlatives, ordinals and sort orders.
    (
        "sup",
        "max",
        "highest | largest | greatest | biggest | maximum | max | most | the most | top | maximal"
        " | the greatest number of the | as many as possible",
    ),
    (
        "sup",
        "min",
        "lowest | smallest | minimum | min | least | fewest | the least | the fewest | minimal | bottom",
    ),
    ("ordinal", "2", "second | 2nd"),
    ("ordinal", "3", "third | 3rd"),
    ("ordinal", "4", "fourth | 4th"),
    ("ordinal", "5", "fifth | 5th"),
    (
        "supcount",
        "max",
        "most number of | largest number of | highest number of | greatest number of | maximum number of"
        " | biggest number of | most amount of | largest amount of | highest count of | most numbers of"
        " | greatest amount of",
    ),
    (
        "supcount",
        "min",
        "least number of | smallest number of | lowest number of | fewest number of | minimum number of"
        " | smallest amount of | least amount of | fewest numbers of",
    ),
    (
        "common",
        "max",
        "most common | most popular | most frequent | most frequently | most commonly | most often"
        " | the most often | the most frequently | the most times | most times | the greatest number of times"
        " | the largest number of times | greatest number of times | largest number of times"
        " | highest number of times | most number of times | most frequently used | most commonly used"
        " | most used | busiest | most prominent | most widely used | most numerous",
    ),
    (
        "common",
        "min",
        "least common | least popular | least frequent | least frequently | least commonly | least often | rarest"
        " | least used | least commonly used | least frequently used",
    ),
    (
        "nth",
        "min",
        "first | very first",
    ),
    (
        "nth",
        "max",
        "last | very last",
    ),
    (
        "order",
        "",
        "ordered by | order by | sorted by | sort by | ranked by | arranged by | in order of | in the order of"
        " | ordered in | sorted in | order them by | sort them by | sort the list by | order the results by"
        " | sorted according to | ordered according to | sort the result by | sort the results by"
        " | sorted in the order of | sort results by | order results by | sorted | ordered | sort | rank them by"
        " | ranked in | listed by | listed in | arranged in | sort in | order in | list in | list them in"
        " | sort them in | order of | sort the list in | sort the results in | sort the result in",
    ),
    (
        "order",
        "asc",
        "in ascending order of | in increasing order of | in ascending order by | ascending order of"
        " | in the ascending order of | in alphabetical order of | in the alphabetical order of"
        " | in alphabetical order by | in increasing order by | sorted in ascending order of"
        " | alphabetical order of | in alphabetic order of | in lexicographical order of | alphabetically by"
        " | by ascending order of | sorted alphabetically by | by ascending | ordered alphabetically by"
        " | in an ascending order of | in order of increasing | increasing order of | from lowest to highest"
        " | by increasing order of | in order of ascending | in lexicographic order of"
        " | in chronological order of | in ascending alphabetical order of | in ascending",
    ),
    (
        "order",
        "desc",
        "in descending order of | in decreasing order of | in descending order by | descending order of"
        " | in the descending order of | in decreasing order by | in reverse alphabetical order of"
        " | by descending order of | in order of descending | in a descending order of"
        " | in an descending order of | by descending | in reverse order of | in order of decreasing"
        " | decreasing order of | in descending | in reverse alphabetical order by",
    ),
    (
        "direction",
        "asc",
        "in ascending order | in increasing order | ascending | ascending order | in alphabetical order"
        " | in alphabetic order | alphabetical order | increasing order | in the alphabetical order"
        " | alphabetically | in the ascending order | in an ascending order | from low to high"
        " | from lowest to highest | in lexicographic order | from smallest to largest | from least to most"
        " | in lexicographical order | lexicographically | increasing | in chronological order | chronologically"
        " | from earliest to latest | from early to late | from a to z | from the lowest to the highest"
        " | in order of alphabet | in alphabetical ascending order | in ascending alphabetical order"
        " | from small to large | from the smallest to the largest | from the earliest to the latest"
        " | lowest first | smallest first | least first | fewest first | cheapest first | oldest first | earliest first"
        " | from oldest to most recent | from least to greatest | in ascending lexicographical order",
    ),
    (
        "direction",
        "desc",
        "in descending order | in decreasing order | descending | descending order | decreasing order"
        " | in the descending order | in a descending order | in reverse alphabetical order | from high to low"
        " | from highest to lowest | from largest to smallest | from most to least | decreasing"
        " | reverse alphabetical order | reverse order | in reverse order | from latest to earliest"
        " | from late to early | from z to a | from the highest to the lowest | in descending alphabetical order"
        " | from the largest to the smallest | from most recent to oldest | from the latest to the earliest"
        " | in reverse chronological order | in reverse lexicographical order | from the most to the least"
        " | from large to small | from most recent to least recent | from newest to oldest"
        " | highest first | largest first | biggest first | most first | newest first | latest first | best first"
        " | most expensive first | most recent first | in descending lexicographical order",
    ),
    (
        "each",
        "",
        "each | every | for each | per | for every | of each | in each | by each | at each | from each | on each"
        " | grouped by | group by | each of the | for each of the | broken down by | to each | with each"
        " | in every | of every | for different | in different | across different | for the different"
        " | each one | in each one | by different"
        " | within each | under each | each different | for each different | for each distinct",
    ),
    # Groups without any rows are to be shown, too.
    (
        "kept",
        "",
        "including those with none | including those without any | including those without | including those with no"
        " | including those that have none | including those who have none | including those that have no"
        " | including ones with none | including ones without any | including ones without | even those with none"
        " | even those without any | even those without | even those with no | even those that have none"
        " | also those with none | also those without any | also those without | as well as those with none"
        " | including zeros | including zero counts | including zero | with zeros | including empty ones"
        " | including the empty ones | even empty ones | even the empty ones | even if they have none"
        " | even if there are none | even if it has none | including none | also if they have none",
    ),
    ("kept", "of", "including | also including | even | even including | include | and include | also include"),
    (
        "none",
        "",
        "with none | that have none | who have none | which have none | having none | with none at all | with zero"
        " | those with none | the ones with none | ones with none | those without any | the ones without any"
        " | with no such | those without | the ones without | include the ones with none | include those with none"
        " | include those without | include the ones without | include those without any",
    ),
    # Comparisons.
    (
        "comp",
        ">",
        "more than | greater than | larger than | higher than | bigger than | above | over | exceeding | exceeds"
        " | exceed | > | longer than | is above | older than | in excess of | upwards of | beyond | greater",
    ),
    (
        "comp",
        "<",
        "less than | fewer than | smaller than | lower than | below | under | < | is below | shorter than",
    ),
    (
        "comp",
        ">=",
        "at least | no less than | not less than | no fewer than | greater than or equal to | >="
        " | a minimum of | equal to or greater than | equal to or more than | more than or equal to | minimum of"
        " | larger than or equal to | higher than or equal to | bigger than or equal to"
        " | greater than or equals to | equal or greater than | equals to or greater than | not lower than",
    ),
    (
        "comp",
        "<=",
        "at most | no more than | not more than | less than or equal to | smaller than or equal to"
        " | lower than or equal to | <= | up to | a maximum of | maximum of"
        " | equal to or less than | no greater than | not exceeding | no later than | not greater than",
    ),
    (
        "comp",
        "=",
        "exactly | equal to | equals | equals to | = | == | equal | the same as | precisely | is equal to | only",
    ),
    (
        "comp",
        "!=",
        "not equal to | different from | other than | != | <> | differs from | does not equal",
    ),
    (
        "after",
        ">=",
        "or more | or above | or higher | or greater | or over | or older | or larger | and above | and over"
        " | and older | or later | or longer | or after | and later",
    ),
    (
        "after",
        "<=",
        "or less | or fewer | or below | or lower | or under | or younger | or smaller | or earlier | or before"
        " | and below | and under | or shorter",
    ),
    (
        "when",
        ">",
        "after | later than | since after | following",
    ),
    (
        "when",
        ">=",
        "since | starting from | from the year | on or after",
    ),
    (
        "when",
        "<",
        "before | earlier than | prior to",
    ),
    (
        "when",
        "<=",
        "until | on or before | by the year | by the end of",
    ),
    (
        "between",
        "",
        "between | in between | ranging from | ranges from | in the range of | in the range | from between"
        " | is between | are between | in the range between",
    ),
    (
        "like",
        "start",
        "starts with | start with | starting with | begins with | begin with | beginning with"
        " | starts with the letter | start with the letter | starts with letter | starting with the letter"
        " | beginning with the letter | begins with the letter | start with letter | starting with letter"
        " | begin with the letter | prefix | starts with the letters | start with the letters | has the prefix"
        " | have the prefix | with prefix | with the prefix | starts from | begins with letter | starting letter",
    ),
    (
        "like",
        "end",
        "ends with | end with | ending with | ends in | ending in | end in | ends with the letter"
        " | has the suffix | end with the letter | ending with the letter | ends with letter | with suffix"
        " | with the suffix | ends by",
    ),
    (
        "like",
        "in",
        "contains | contain | containing | includes | include | including | includes the word | contains the word"
        " | contain the word | containing the word | include the word | including the word | with the word"
        " | has the word | have the word | with the substring | contains the substring | contain the substring"
        " | includes the substring | include the substring | containing the substring | has the substring"
        " | have the substring | like | with substring | contains the letter | contain the letter"
        " | containing the letter | contains letter | includes the letter | has the letter | have the letter"
        " | with the letter | contains the phrase | contain the phrase | with the phrase | contains the words"
        " | contain the words | including the substring | has the phrase | with the letters | that includes"
        " | with a substring | that contains | has substring | contains substring | contains the letters"
        " | including letter | including the letter | including the phrase | includes letter"
        " | contains the string | contain the string | has the words | with word | contains word"
        " | contain letter | contain letters | contains letters | containing letters | containing letter"
        " | have substring | having substring | having the substring | having the letter | include letter",
    ),
    ("stocked", "=", "out of stock | sold out | not in stock"),
    ("stocked", ">", "in stock"),
    # Negation, and words that combine conditions.
    (
        "not",
        "",
        "not | n't | isn't | aren't | doesn't | don't | didn't | wasn't | weren't | did not | do not | does not"
        " | is not | are not | was not | were not | has not | have not | had not | hasn't | haven't | never"
        " | has never | have never | cannot | can not | but not | and not | nor | were never | was never"
        " | are never | is never | nobody has ever | nobody has | no one has ever | no one has | nobody ever"
        " | that nobody has ever | that nobody has | that no one has ever | that no one has",
    ),
    (
        "without",
        "",
        "without | without any | no | do not have any | does not have any | have no | has no | had no"
        " | do not have | does not have | did not have | don't have | doesn't have | don't have any"
        " | doesn't have any | did not have any | not have any | not any | with no | having no | that have no"
        " | never had | has not had any | have not had any | have never had | has never had | never have"
        " | do not own any | do not own | have not had | has not had | never had any | have never had any"
        " | has never had any | there are no | there is no | not have | does not contain any | do not contain any",
    ),
    ("without", "", "has nobody | have nobody | has no one | have no one | with nobody | had nobody"),
    (
        "except",
        "",
        "except | except for | excluding | but excluding | apart from | besides | aside from",
    ),
    (
        "both",
        "",
        "both",
    ),
    (
        "either",
        "",
        "either | any of | one of",
    ),
    (
        "and",
        "",
        "and | as well as | and also | along with | together with | and then | but | while | in addition to"
        " | plus | & | but also | and the corresponding | also",
    ),
    (
        "comma",
        "",
        ", | ; | : | - | \u2013 | \u2014",
    ),
    (
        "or",
        "",
        "or | and or",
    ),
    (
        "distinct",
        "",
        "distinct | different | unique | various | distinctive | distinctly",
    ),
    (
        "percent",
        "",
        "percentage of | percent of | the percentage of | share of | fraction of | proportion of | the share of"
        " | the fraction of | the proportion of | per cent of | what percentage of | what percent of | what share of"
        " | what fraction of | what proportion of",
    ),
    (
        "difference",
        "",
        "difference between | the difference between | difference of | gap between",
    ),
    ("margin", "", "margin | profit margin | unit margin | profit per item | profit per unit | markup"),
    ("elapsed", "", "how many days | number of days | the number of days | how long | days | time in days | time"),
    ("elapsed", "hours", "how many hours | number of hours | the number of hours | hours | time in hours"),
    ("elapsed", "minutes", "how many minutes | number of minutes | the number of minutes | minutes | time in minutes"),
    ("same", "", "same | the same"),
    (
        "ratio",
        "",
        "ratio of | ratio between",
    ),
    (
        "average",
        "",
        "the average | average | the mean | the overall average | the average of | an average | the average value"
        " | averages",
    ),
    (
        "whole",
        "",
        "all information about | all the information about | all information | all details of | everything about"
        " | all the details of | all the information | all columns of | all columns | all the details about"
        " | all details about | all the details | all the information of | all information of | all details"
        " | information about | all info about | the information of | all the information for"
        " | all information for | all of the information about | every detail of | details about | details for"
        " | all the columns of | all of the information",
    ),
    (
        "null",
        "",
        "null | missing | unknown | blank | is null | are null | is missing | are missing | empty",
    ),
    (
        "all",
        "",
        "all | all the | all of the | any | any of the | some | any kind of",
    ),
    # Prepositions, relative pronouns, auxiliaries, and words without a meaning for the query ('fill').
    (
        "prep",
        "of",
        "of | of the | among | among the | amongst | out of | belonging to | that belong to | which belong to",
    ),
    (
        "prep",
        "for",
        "for | for the | about | regarding | concerning | corresponding to | associated with | related to"
        " | with respect to | according to",
    ),
    (
        "prep",
        "in",
        "in | in the | at | on | inside | within | into | throughout | during | located in | located at"
        " | located on | in the state of | in the year of | on the | at the",
    ),
    (
        "prep",
        "from",
        "from | out from | come from | comes from | came from | coming from | are from | is from | that come from",
    ),
    (
        "prep",
        "to",
        "to | toward | towards | onto",
    ),
    (
        "prep",
        "by",
        "by | via | through | using | based on | by the | under the | in terms of | in terms of the",
    ),
    (
        "prep",
        "with",
        "with | with a | with an | with the",
    ),
    (
        "prep",
        "across",
        "across | across all | over all",
    ),
    (
        "rel",
        "",
        "that | who | which | where | whom | having | whose | when | if | in which | for which | such that"
        " | with which | to whom | on which | at which | of which | to which | from which | by whom | as",
    ),
    (
        "have",
        "",
        "have | has | had | having | own | owns | owned | possess | possesses | hold | holds | get | gets | got"
        " | with at",
    ),
    (
        "be",
        "",
        "is | are | was | were | be | been | being | has been | have been | had been | is the | are the | will be"
        " | named | called | titled | entitled | is called | are called | is named | is titled | whose name is"
        " | named as | with name | with the name | denoted as | labeled as | known as | with value | as"
        " | with values",
    ),
    (
        "own",
        "",
        "'s | '",
    ),
    (
        "their",
        "",
        "their own | its own | his own | her own"
        " | their | its | his | her | the corresponding | corresponding | respective | their respective"
        " | the respective | his or her | their corresponding | and corresponding | the associated | associated",
    ),
    (
        "fill",
        "",
        "the | a | an | do | does | did | there | there are | are there | is there | there is | do we have | we"
        " | us | me | i | you | you have | are there in total | in total | in all | altogether | respectively"
        " | please | exist | exists | existing | here | it | they | them | this | these | those | that is"
        " | that are | who is | who are | which is | which are | who was | who were | that was | that were | so"
        " | too | listed | recorded | stored | in the database | in the databases | in our database"
        " | in this database | in the table | in the record | in the records | in the system | on file"
        " | on record | been | can | could | would | should | will | may | must | be | ever | currently | now"
        " | values of | the values of | actually | records of | entries of"
        " | instances of | a total of | entire | given | certain | particular | specific | are | is | was"
        " | were | in the list | on the list | in the data | he | she | were there | was there | are in | of them"
        " | kind of | own | itself | themselves | one | ones | the ones | those ones | then | any | at all"
        " | in the whole | also | do you have | have we | has been | have been | is recorded | individual"
        " | in days | in percent | in per cent | as a percentage | our | my | your | right now | at the moment | so far"
        " | at all | to date | for us | at present"
        " | in the dataset | of the following | out | up | some | are listed | is listed"
        " | anything | something | yet | already | ever yet | by us | do we | have we | did we"
        " | still | a single | a single one | even one | even a single | for those that have one"
        " | for those who have one | if they have one | if any | we have"
        " | in total so far | on our books | for each of them | on the books",
    ),
    (
        "unit",
        "",
        "years old | years of age | percent | % | euros | year old | points of | times | time | square kilometers"
        " | square kilometres | tons | people | inhabitants | " + " | ".join(unit for unit in UNITS if unit != "in"),
    ),
    # Words without a meaning for the query unless the schema has such a name.
    (
        "fill",
        "soft",
        "table | ordered | placed | member | members | result | results | available | manner | instance | instances"
        " | item | entry | record"
        " | records | entries",
    ),
    # Ignored after the name of a column: "snatch score", "enrollment size".
    (
        "tail",
        "",
        "totals | sums | counts | figures | value | values | score | scores | size | sizes | rate | rates | amount"
        " | amounts | scheme | level | data"
        " | year | years | type | types | name | names | information",
    ),
    (
        "stop",
        "",
        "? | . | ! | ?. | .. | ... | ( | )",
    ),
)

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
    leav download listen log process administ
    """.split()
)

# Stems of verbs that select the origin ('from') or the destination ('to') of a route.
WAYS = {"from": frozenset("depart leav origin sourc start".split()), "to": frozenset("arriv land destin end".split())}

WORD: dict[tuple[str, ...], tuple[Operator, ...]] = {}
for _kind, _argument, _phrases in _TABLE:
    for _phrase in _phrases.split("|"):
        _words = tuple(_phrase.replace("'s", " 's").split()) if _phrase.strip() != "what's" else ("what", "'s")
        WORD[_words] = (*WORD.get(_words, ()), Operator(_kind, _argument))

LONGEST = max(map(len, (*WORD, *MEASURES)))
