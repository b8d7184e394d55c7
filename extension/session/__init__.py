"""Answer the questions of one connection, and cache the candidates found for them."""

from askwhere.session.delivery import too_many
from askwhere.session.finding import answered_by
from askwhere.session.questions import Answer, Question, Ranking, chain
from askwhere.session.session import Session

__all__ = ["Answer", "Question", "Ranking", "Session", "answered_by", "chain", "too_many"]
