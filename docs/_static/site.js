// On a phone, tables of three columns and more are shown cell by cell: each cell is given its column's name.
document.addEventListener("DOMContentLoaded", () => {
  for (const table of document.querySelectorAll(".bd-article table:not(.dataframe)")) {
    const columns = [...table.querySelectorAll("thead th")].map((cell) => cell.textContent.trim());
    if (columns.length < 3 || table.closest(".cell_output")) continue;
    table.classList.add("labeled");
    for (const row of table.tBodies[0].rows) {
      [...row.cells].forEach((cell, place) => {
        if (columns[place]) cell.dataset.column = columns[place];
        cell.classList.toggle("empty", !cell.textContent.trim());
      });
    }
  }
});
