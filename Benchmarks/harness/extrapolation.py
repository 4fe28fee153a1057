"""A world filled with the rows that a store would have written for a million requests.

The store itself does something a few times, step by step. The rows that its database gains in each
step show how every column continues: it stays, it grows by a fixed amount, it is one of the
requests' names, or it is random. From that, SQLite writes the further rows. A step by the store
afterwards must add the predicted rows; otherwise there is no figure.
"""

import sqlite3

from programs import Failure

# The orders in which the store does the steps of a fill, as (step, person): they show how a number
# grows with each of the two, and the last one is a check.
ORDERS = [(0, 0), (1, 2), (2, 1), (3, 3)]
# Columns with unrelated values, filled with copies of the first one.
COPIED = {"password_hash"}


class Column:
    """How a column continues, derived from its values in the steps of `ORDERS`."""

    def __init__(self, name, values, orders, names):
        self.first = values[0]
        self.growth = None
        self.name = None
        self.is_chance = False
        if name.endswith("_real_ms") and all(isinstance(value, int) for value in values):
            # A few instants can be equal, or equally far apart, by accident.
            self.is_chance = True
        elif all(value == self.first for value in values):
            self.growth = (0, 0)
        elif all(isinstance(value, int) for value in values):
            self.growth = growth(values, orders)
        elif all(isinstance(value, bytes) and len(value) == len(self.first) for value in values):
            self.is_chance = True
        elif name in COPIED:
            self.is_chance = True
        else:
            fitting = [each for each in names
                       if values == [each.text(*order) for order in orders]]
            self.name = fitting[0] if fitting else None
        if not (self.growth or self.name or self.is_chance):
            raise Failure(f"the column {name} continues in an unexpected way: {values}")

    def sql(self):
        if self.name:
            return self.name.sql
        if isinstance(self.first, bytes):
            return f"randomblob({len(self.first)})" if self.is_chance else literal(self.first)
        if self.growth and any(self.growth):
            return f"{self.first} + {self.growth[0]} * step + {self.growth[1]} * person"
        return literal(self.first)

    def fits(self, value, step, person):
        if self.name:
            return value == self.name.text(step, person)
        if self.is_chance:
            return type(value) is type(self.first) and (
                isinstance(value, int) or len(value) == len(self.first))
        if any(self.growth):
            return value == self.first + self.growth[0] * step + self.growth[1] * person
        return value == self.first


class Name:
    """A name in a request, derived from the number of the step or the person; and the same in
    SQL."""

    def __init__(self, form, of):
        self.form = form
        self.of = of
        self.sql = f"printf('{form}', {of})"

    def text(self, step, person):
        # A step before the first one has a name, too.
        return self.form % ((step if self.of == "step" else person) % 2**32)


def growth(values, orders):
    """How much a number grows with each step and with each person; None when it does not."""
    (step, person), (later, other) = orders[1], orders[2]
    by_step, by_person = values[1] - values[0], 0
    if turn := step * other - later * person:
        first, second = values[1] - values[0], values[2] - values[0]
        by_step, by_person = (first * other - second * person) // turn, (
            second * step - first * later) // turn
    foreseen = [values[0] + by_step * order[0] + by_person * order[1] for order in orders]
    return (by_step, by_person) if foreseen == values else None


def literal(value):
    if value is None:
        return "NULL"
    if isinstance(value, bytes):
        return f"x'{value.hex()}'"
    return str(value) if isinstance(value, int) else "'" + value.replace("'", "''") + "'"


def read(path, work):
    database = sqlite3.connect(f"file:{path}?mode=ro", uri=True, timeout=20)
    try:
        database.execute("BEGIN")
        return work(database)
    finally:
        database.close()


class Rows:
    """All rows of a small database file, by table and rowid."""

    def __init__(self, path):
        def load(database):
            names = [name for name, in database.execute(
                "SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")]
            self.tables = {
                name: {row[0]: row[1:] for row in database.execute(f"SELECT rowid, * FROM {name}")}
                for name in names}
            self.columns = {
                name: [row[1] for row in database.execute(f"PRAGMA table_info({name})")]
                for name in names}
        read(path, load)

    def added(self, before):
        """The new rows, in order."""
        return {name: found for name, rows in self.tables.items()
                if (found := [rows[key] for key in sorted(rows) if key not in before.tables[name]])}

    def changed(self, before):
        """The rows that have changed."""
        return {(name, key): row for name, rows in self.tables.items() for key, row in rows.items()
                if before.tables[name].get(key, row) != row}


class Pattern:
    """The effect of one kind of step on a database: `snapshots` are before, between and after steps
    in these orders."""

    def __init__(self, snapshots, orders, names):
        after = snapshots[1:]
        added = [each.added(before) for before, each in zip(snapshots, after)]
        shape = {name: len(rows) for name, rows in added[0].items()}
        if any({name: len(rows) for name, rows in each.items()} != shape for each in added):
            raise Failure("the same step adds different rows each time")
        self.columns = after[0].columns
        self.added = [
            (name, [Column(column, [each[name][place][at] for each in added], orders, names)
                    for at, column in enumerate(self.columns[name])])
            for name, count in shape.items() for place in range(count)]
        changes = [each.changed(before) for before, each in zip(snapshots, after)]
        if any(each.keys() != changes[0].keys() for each in changes):
            raise Failure("the same step changes different rows each time")
        self.changed = {key: [each[key] for each in changes] for key in changes[0]}

    def write(self, database, count):
        """Writes the rows of further steps, those in the table `place`."""
        for name, columns in self.added:
            database.execute(
                f"INSERT INTO {name} ({', '.join(self.columns[name])}) "
                f"SELECT {', '.join(column.sql() for column in columns)} FROM place ORDER BY step")
        for (name, key), rows in self.changed.items():
            for at, column in enumerate(self.columns[name]):
                values = [row[at] for row in rows]
                if values[-1] == values[-2]:
                    continue
                steps = {after - before for before, after in zip(values, values[1:])}
                if len(steps) != 1:
                    raise Failure(f"{name}.{column} grows by varying amounts: {values}")
                database.execute(
                    f"UPDATE {name} SET {column} = ? WHERE rowid = ?",
                    (values[-1] + steps.pop() * count, key))

    def newest(self, path):
        """The newest rowid of every table, small or large."""
        return read(path, lambda database: {
            name: database.execute(f"SELECT coalesce(max(rowid), 0) FROM {name}").fetchone()[0]
            for name in self.columns})

    def check(self, path, before, step, person):
        """Checks that the store's own next step added the predicted rows."""
        def added(database):
            return [(name, row) for name, newest in before.items() for row in database.execute(
                f"SELECT * FROM {name} WHERE rowid > ? ORDER BY rowid", (newest,))]
        found = read(path, added)
        if [name for name, _ in found] != [name for name, _ in self.added]:
            raise Failure(f"the store adds unexpected rows to the filled world: {found}")
        for (name, row), (_, columns) in zip(found, self.added):
            for value, column, title in zip(row, columns, self.columns[name]):
                if not column.fits(value, step, person):
                    raise Failure(f"the store writes {value!r} into {name}.{title}, which is not "
                                  "what the filled rows have")


def fill(path, pattern, count, is_mixed):
    """Writes further steps, up to a total that includes those from which the pattern was derived;
    each belongs to the next person, or they come in random order."""
    first, further = len(ORDERS), count - len(ORDERS)
    database = sqlite3.connect(path, isolation_level=None)
    try:
        for setting in ("journal_mode = DELETE", "journal_mode = OFF", "synchronous = OFF",
                        "cache_size = -400000"):
            database.execute("PRAGMA " + setting).fetchall()
        database.execute("CREATE TEMP TABLE place (step INTEGER PRIMARY KEY, person INTEGER)")
        database.execute(
            f"""
            WITH RECURSIVE counter(value) AS (
                SELECT {first} UNION ALL SELECT value + 1 FROM counter WHERE value < {count - 1})
            INSERT INTO place SELECT {first - 1} + row_number() OVER (ORDER BY
                {"random()" if is_mixed else "value"}), value FROM counter
            """)
        database.execute("BEGIN")
        pattern.write(database, further)
        database.execute("COMMIT")
        broken = database.execute("PRAGMA foreign_key_check").fetchone()
        if broken:
            raise Failure(f"a filled row refers to a missing row: {broken}")
    finally:
        database.close()
