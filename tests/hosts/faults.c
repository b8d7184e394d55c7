/* Asks a worker that talks nonsense, again and again; a sanitizer ends it where the extension believes too much. */
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>

static const char *const asked[] = {
    "SELECT ask_version()",
    "SELECT ask_set('effort', 'fast')",
    "SELECT * FROM ask_settings()",
    "SELECT * FROM ask_values('x', 2)",
    "SELECT * FROM ask('how many')",
    "SELECT * FROM ask('how many', 'm', 'fast', NULL, 1) WHERE answer = 1",
    "CREATE VIRTUAL TABLE kept USING ask('how many')",
    "SELECT * FROM kept",
    "ALTER TABLE kept RENAME TO other",
    "DROP TABLE IF EXISTS other",
    "DROP TABLE IF EXISTS kept",
};

int main(int argc, char **argv) {
  int rounds = argc > 2 ? atoi(argv[2]) : 1, failed = 0, ran = 0;
  for (int round = 0; round < rounds; round++) {
    sqlite3 *db;
    char *error = 0;
    if (sqlite3_open(":memory:", &db) != SQLITE_OK) return 3;
    sqlite3_enable_load_extension(db, 1);
    if (sqlite3_load_extension(db, argv[1], 0, &error) != SQLITE_OK) {
      fprintf(stderr, "%s\n", error);
      return 2;
    }
    sqlite3_exec(db, "CREATE TABLE t (a, b); INSERT INTO t VALUES (1, 'x'), (2, NULL)", 0, 0, 0);
    for (size_t i = 0; i < sizeof asked / sizeof *asked; i++) {
      int rc = sqlite3_exec(db, asked[i], 0, 0, &error);
      ran++;
      failed += rc != SQLITE_OK;
      sqlite3_free(error);
    }
    sqlite3_close(db);
  }
  printf("%d statements, %d errors\n", ran, failed);
  return 0;
}
