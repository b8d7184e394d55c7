"""Take the slots out of a draft that nothing in it uses any more."""

from __future__ import annotations

from dataclasses import replace

from askwhere.reader.draft import Draft, Nested, Operand, Term, Test


def pruned(draft: Draft, dropped: set[int]) -> Draft:
    """Return the draft without the slots that nothing uses any more; those left are numbered anew."""
    used = _used(draft)
    mentions = [m for m in draft.mentions if m in used or m not in dropped]
    kept = sorted(_with_owners(used | set(mentions), draft))
    new = {old: place for place, old in enumerate(kept)}

    def term(old: Term) -> Term:
        return old if old.slot is None else replace(old, slot=new[old.slot])

    def test(old: Test) -> Test:
        return replace(
            old,
            term=term(old.term),
            operand=tuple(operand(o) for o in old.operand),
            tests=tuple(map(test, old.tests)),
            mentions=tuple(new[m] for m in old.mentions),
        )

    def operand(old: Operand) -> Operand:
        if isinstance(old, Term):
            return term(old)
        if isinstance(old, Nested):
            return replace(old, term=term(old.term), tests=tuple(map(test, old.tests)))
        return old

    owners = [draft.slots[old].owner for old in kept]
    return replace(
        draft,
        slots=[
            replace(draft.slots[old], owner=None if o is None else new[o]) for old, o in zip(kept, owners, strict=True)
        ],
        outputs=[term(t) for t in draft.outputs],
        tests=[[test(t) for t in group] for group in draft.tests],
        share=[[test(t) for t in group] for group in draft.share],
        both=[tuple(map(test, tests)) for tests in draft.both],
        groups=[new[slot] for slot in draft.groups],
        order=[replace(key, term=term(key.term)) for key in draft.order],
        star=None if draft.star is None else new[draft.star],
        focus=None if draft.focus is None else new[draft.focus],
        mentions=[new[m] for m in mentions],
    )


def _used(draft: Draft) -> set[int]:
    """Return the slots that something in the draft uses, mentions aside."""
    terms = [*draft.outputs, *(key.term for key in draft.order)]
    tests = [t for group in (*draft.tests, *draft.share, *draft.both) for t in group]
    found = {t.slot for t in terms if t.slot is not None} | set(draft.groups)
    found |= {slot for slot in (draft.star, draft.focus) if slot is not None}
    return found.union(*map(_of_test, tests))


def _of_test(test: Test) -> set[int]:
    """Return the slots that a test uses, and the tests within it."""
    inner = [o for o in test.operand if isinstance(o, Nested)]
    terms = [test.term, *(o for o in test.operand if isinstance(o, Term)), *(one.term for one in inner)]
    found = {t.slot for t in terms if t.slot is not None} | set(test.mentions)
    return found.union(*map(_of_test, (*test.tests, *(t for one in inner for t in one.tests))))


def _with_owners(slots: set[int], draft: Draft) -> set[int]:
    """Return slots with the slots of the things that they are said of."""
    found, open_ = set(slots), list(slots)
    while open_:
        owner = draft.slots[open_.pop()].owner
        if owner is not None and owner not in found:
            found.add(owner)
            open_.append(owner)
    return found
