export interface KeyHint {
  keys: readonly string[]
  does: string
}

const keysWhere = (escape: string): readonly KeyHint[] => [
  { keys: ['/', 'any letter'], does: 'Search' },
  { keys: ['Enter'], does: 'Add the search to the history' },
  { keys: ['↓'], does: 'Move from the search to the rows' },
  { keys: ['↑', '↓'], does: 'Previous or next row' },
  { keys: ['Page Up', 'Page Down'], does: 'Ten rows up or down' },
  { keys: ['Home', 'End'], does: 'First or last row' },
  { keys: ['Enter', 'Space'], does: 'Open or close a row; select or deselect a node' },
  { keys: ['→', '←'], does: 'Open or close a row; back to its group' },
  { keys: ['Tab'], does: 'Links of the row' },
  { keys: ['Esc'], does: escape },
  { keys: ['?'], does: 'Show this help' },
]

const escape = 'Close details; reset search and filters'

/** Keys of a page with a search and a table with rows that open. */
export const tableKeys = keysWhere(escape)

const chartKeys: readonly KeyHint[] = [
  { keys: ['←', '→'], does: 'In a chart: previous or next figure' },
  { keys: ['+', '−'], does: 'In a chart: zoom in or out' },
  { keys: ['Esc'], does: 'In a chart: back to the whole range' },
]

/** Keys of such a page with charts in its details. */
export const chartTableKeys = [...tableKeys, ...chartKeys]

/** Keys of such a page with filters that can be hidden. */
export const foldingTableKeys = [...keysWhere(`${escape}; show or hide the filters`), ...chartKeys]
