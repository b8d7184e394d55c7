"""Runs statements in the Python that starts it, by its own sqlite3 or by APSW: a JSON line in, one out.

    driver.py sqlite3|apsw DATABASE [EXTENSION]

Each line is `[sql, parameters]`; the answer is `{"columns": …, "rows": …}` or `{"error": …}`. `load` loads once more.
"""

import importlib
import json
import sys
import threading

binding = importlib.import_module(sys.argv[1])
if binding.__name__ == "apsw":
    connection = binding.Connection(sys.argv[2])
else:
    connection = binding.connect(sys.argv[2], isolation_level=None)


def load() -> None:
    connection.enable_load_extension(True)
    connection.load_extension(sys.argv[3])


def interrupting(seconds, ended):
    while not ended.wait(seconds):
        connection.interrupt()


def run(sql, parameters):
    names = []

    def remember(cursor, row):
        names[:] = [name for name, *_ in cursor.get_description()]  # APSW forgets it with the last row
        return row

    cursor = connection.cursor()
    if binding.__name__ == "apsw":
        cursor.row_trace = remember
    rows = cursor.execute(sql, parameters or ()).fetchall()
    if binding.__name__ != "apsw":
        names = [name for name, *_ in cursor.description or ()]
    return {"columns": names, "rows": rows}


if len(sys.argv) > 3:
    load()
for line in sys.stdin:
    sql, parameters = json.loads(line)
    timer = None
    try:
        if sql == "load":
            load()
            answer = {"columns": [], "rows": []}
        elif sql.startswith("interrupt "):  # every so many seconds, until it ends
            ended = threading.Event()
            timer = threading.Thread(target=interrupting, args=(float(sql.split()[1]), ended))
            timer.start()
            answer = run(sql.split(maxsplit=2)[2], parameters)
        else:
            answer = run(sql, parameters)
    except binding.Error as exc:
        answer = {"error": str(exc)}
    if timer is not None:
        ended.set()
        timer.join()
    print(json.dumps(answer), flush=True)
