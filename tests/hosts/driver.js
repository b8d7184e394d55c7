// As driver.py, for better-sqlite3: `node driver.js DATABASE EXTENSION` with the package's folder in NODE_PATH.
const Database = require("better-sqlite3");
const readline = require("readline");

const [path, extension] = process.argv.slice(2);
const db = new Database(path);
if (extension) db.loadExtension(extension);

function run(sql, parameters) {
  const statement = db.prepare(sql);
  if (!statement.reader) {
    statement.run(...(parameters || []));
    return { columns: [], rows: [] };
  }
  const rows = statement.raw().all(...(parameters || []));
  return { columns: statement.columns().map((column) => column.name), rows };
}

readline.createInterface({ input: process.stdin }).on("line", (line) => {
  const [sql, parameters] = JSON.parse(line);
  let answer;
  try {
    if (sql === "load") db.loadExtension(extension);
    answer = sql === "load" ? { columns: [], rows: [] } : run(sql, parameters);
  } catch (error) {
    answer = { error: error.message };
  }
  console.log(JSON.stringify(answer));
});
