/* Registers the extension named on the command line for all connections, and asks three of them for its version. */
#include <dlfcn.h>
#include <sqlite3.h>
#include <stdio.h>

static int print(void *unused, int count, char **values, char **names) {
  (void)unused, (void)count, (void)names;
  return puts(values[0]) < 0;
}

int main(int argc, char **argv) {
  void *library = argc > 1 ? dlopen(argv[1], RTLD_NOW) : 0;
  void *entry = library ? dlsym(library, "sqlite3_askwhere_init") : 0;
  char *error = 0;
  if (!entry || sqlite3_auto_extension((void (*)(void))entry) != SQLITE_OK) return 1;
  for (int i = 0; i < 3; i++) {
    sqlite3 *db;
    if (sqlite3_open(":memory:", &db) != SQLITE_OK) return 2;
    if (i == 2) {
      sqlite3_enable_load_extension(db, 1);
      if (sqlite3_load_extension(db, argv[1], 0, &error) != SQLITE_OK) return 3;
    }
    if (sqlite3_exec(db, "SELECT ask_version()", print, 0, &error) != SQLITE_OK) {
      fprintf(stderr, "%s\n", error);
      return 4;
    }
    if (sqlite3_close(db) != SQLITE_OK) return 5;
  }
  return 0;
}
