"""What a reference SQL is made of, read from PostgreSQL's own parse tree."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import postgast

from sqlrl.files import digest_text
from sqlrl.verifier.guard import RefusedError, parse_query, select_of

# Functions whose answer depends on the moment or on chance; pg_catalog calls some of them stable.
VOLATILE_FUNCTIONS = frozenset(
    {
        "now",
        "clock_timestamp",
        "statement_timestamp",
        "transaction_timestamp",
        "timeofday",
        "random",
        "random_normal",
        "gen_random_uuid",
        "uuidv4",
        "uuidv7",
        "nextval",
        "currval",
        "lastval",
        "setseed",
        "pg_sleep",
        "txid_current",
        "pg_current_xact_id",
        "version",
        "pg_backend_pid",
    }
)
AGGREGATES = frozenset(
    {"count", "sum", "avg", "min", "max", "percentile_cont", "string_agg", "array_agg", "bool_or", "bool_and"}
)
DATE_FUNCTIONS = frozenset({"extract", "date_trunc", "date_part", "to_char", "age", "make_date"})
RANKINGS = frozenset(
    {"row_number", "rank", "dense_rank", "lag", "lead", "ntile", "first_value", "last_value"}
)


@dataclass(frozen=True)
class Statement:
    """One plain query.

    Raises (when made with ``parse``):
        RefusedError: the text is not exactly one plain query.
    """

    sql: str
    tree: Any

    @classmethod
    def parse(cls, sql: str) -> "Statement":
        """Parse a text; see the guard for what is refused."""
        return cls(sql, parse_query(sql))

    @cached_property
    def canonical(self) -> str:
        """The same query as the parser writes it: formatting and letter case of keywords gone."""
        return str(postgast.deparse(self.tree))

    @cached_property
    def template(self) -> str:
        """Digest, 16 hex digits, of the query with its literals replaced."""
        return digest_text(str(postgast.normalize(self.canonical)))[:16]

    @cached_property
    def nodes(self) -> tuple[Any, ...]:
        """All nodes of the tree."""
        return tuple(_walk(self.tree.stmts[0].stmt))

    @property
    def tables(self) -> tuple[str, ...]:
        """Tables that it reads, sorted; common table expressions left out."""
        commons = {node.ctename for node in self._of("CommonTableExpr")}
        return tuple(sorted({node.relname for node in self._of("RangeVar")} - commons))

    @property
    def literals(self) -> frozenset[str]:
        """The words and numbers of its literals, in lower case, as they would stand in a question."""
        words: set[str] = set()
        for node in self._of("A_Const"):
            kind = node.WhichOneof("val")
            if kind == "sval":
                words.update(re.findall(r"\w+", node.sval.sval.casefold()))
            elif kind == "ival":
                words.add(str(node.ival.ival))
            elif kind == "fval":
                words.add(node.fval.fval)
        return frozenset(words)

    @property
    def volatile(self) -> str | None:
        """The first function in it whose answer depends on time or chance, or None."""
        for node in self._of("SQLValueFunction"):
            return str(node.DESCRIPTOR.fields_by_name["op"].enum_type.values_by_number[node.op].name)
        return next((name for name in self.functions if name in VOLATILE_FUNCTIONS), None)

    @cached_property
    def functions(self) -> tuple[str, ...]:
        """Names of the functions that it calls."""
        return tuple(node.funcname[-1].string.sval for node in self._of("FuncCall"))

    @property
    def has_inner_limit(self) -> bool:
        """Whether a subquery has a LIMIT, whose ties nobody sees."""
        top = select_of(self.tree)
        return any(_is_limited(node) for node in self._of("SelectStmt") if node is not top and node != top)

    @cached_property
    def features(self) -> tuple[str, ...]:
        """Sorted names of what it uses."""
        return tuple(sorted(set(self._features())))

    def past_limit(self) -> tuple[str, int, int] | None:
        """The query that shows whether LIMIT cuts through a tie.

        Returns:
            The SQL that gives, in order, one row more than the LIMIT with the sort keys as its last
            columns, the number of these columns, and the LIMIT; None without a LIMIT.

        Raises:
            RefusedError: its sort keys cannot stand beside its columns: it is a set operation, or sorts by the
                number of a column that its text does not show.
        """
        tree = type(self.tree).FromString(self.tree.SerializeToString())
        select = select_of(tree)
        if not _is_limited(select):
            return None
        limit = int(select.limit_count.a_const.ival.ival)
        outputs = {target.res_target.name: target.res_target.val for target in select.target_list}
        numbered = [target.res_target.val for target in select.target_list]
        if select.HasField("larg"):
            raise RefusedError("sort_keys", "a LIMIT on a set operation: its ties cannot be seen")
        keys = [_expression(item.sort_by.node, outputs, numbered) for item in select.sort_clause]
        for key in keys:
            select.target_list.add().res_target.val.CopyFrom(key)
        select.limit_count.a_const.ival.ival = limit + 1
        return str(postgast.deparse(tree)), len(keys), limit

    def _of(self, kind: str) -> Iterator[Any]:
        return (node for node in self.nodes if node.DESCRIPTOR.name == kind)

    def _features(self) -> Iterator[str]:
        kinds = [node.DESCRIPTOR.name for node in self.nodes]
        joins = kinds.count("JoinExpr")
        if joins:
            yield "join"
        if joins > 1:
            yield "joins>=2"
        if any(node.jointype for node in self._of("JoinExpr") if node.jointype > 1):
            yield "outer join"
        if "WithClause" in kinds:
            yield "cte"
        if any(node.recursive for node in self._of("WithClause")):
            yield "recursion"
        if "WindowDef" in kinds:
            yield "window"
        if "SubLink" in kinds or "RangeSubselect" in kinds:
            yield "subquery"
        if "CaseExpr" in kinds:
            yield "case"
        if "NullTest" in kinds or "CoalesceExpr" in kinds:
            yield "null"
        yield from self._clauses()
        yield from self._function_features()

    def _clauses(self) -> Iterator[str]:
        for node in self._of("SelectStmt"):
            yield from ("group by",) if node.group_clause else ()
            yield from ("having",) if node.HasField("having_clause") else ()
            yield from ("order by",) if node.sort_clause else ()
            yield from ("limit",) if _is_limited(node) else ()
            yield from ("distinct",) if node.distinct_clause else ()
            yield from (
                ("set operation",) if node.HasField("larg") and "recursion" not in self._recursions() else ()
            )

    def _recursions(self) -> tuple[str, ...]:
        return tuple("recursion" for node in self._of("WithClause") if node.recursive)

    def _function_features(self) -> Iterator[str]:
        for node in self._of("FuncCall"):
            name = node.funcname[-1].string.sval
            if name in AGGREGATES:
                yield f"aggregate:{name}"
            elif name in RANKINGS:
                yield f"window:{name}"
            elif name in DATE_FUNCTIONS:
                yield "date"
            if node.HasField("agg_filter"):
                yield "filter"
            if node.agg_distinct:
                yield "distinct"


def _is_limited(select: Any) -> bool:
    return bool(select.HasField("limit_count") or select.HasField("limit_offset"))


def _expression(node: Any, outputs: dict[str, Any], numbered: list[Any]) -> Any:
    """A sort key as an expression: the output column that a name or a number stands for, else itself."""
    kind = node.WhichOneof("node")
    if kind == "a_const" and node.a_const.WhichOneof("val") == "ival":
        place = int(node.a_const.ival.ival)
        if place > len(numbered) or any(map(_is_star, numbered[:place])):
            raise RefusedError("sort_keys", f"it sorts by column {place}, which its text does not show")
        return numbered[place - 1]
    if kind == "column_ref" and len(node.column_ref.fields) == 1:
        return outputs.get(node.column_ref.fields[0].string.sval, node)
    return node


def _is_star(node: Any) -> bool:
    """Whether an output stands for several columns."""
    fields = node.column_ref.fields
    return bool(node.WhichOneof("node") == "column_ref" and fields[-1].WhichOneof("node") == "a_star")


def _walk(node: Any) -> Iterator[Any]:
    """Every message of a tree, parents first, without recursion."""
    waiting = [node]
    while waiting:
        message = waiting.pop()
        if message.DESCRIPTOR.name != "Node":
            yield message
        for field, value in message.ListFields():
            if field.message_type is None:
                continue
            waiting.extend(value if field.is_repeated else [value])
