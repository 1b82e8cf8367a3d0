// Names that the theme leaves out: a screen reader says what is opened, and a voice may say what is shown.
document.addEventListener("DOMContentLoaded", () => {
  for (const button of document.querySelectorAll(".search-button-field")) {
    button.setAttribute("aria-label", button.innerText.replace(/\s+/g, " ").trim() || "Search");
  }
  for (const opener of document.querySelectorAll("nav details > summary")) {
    const link = opener.closest("li").querySelector("a");
    opener.setAttribute("aria-label", `Pages of ${link.textContent.trim()}`);
  }
});

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
