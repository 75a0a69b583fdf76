import type { Page } from 'playwright-core'

/** By table name: the header of the name column; undefined for tables whose rows have their own layout. */
export type NameHeads = Readonly<Record<string, string | undefined>>

/** px between the texts of two neighbouring cells, at the usual font size */
const AIR = 8
/** px of a name that must stay visible, at the usual font size; a shorter name is never cut off */
const NAME = 96

/** Unreadable parts of the tables on the page: texts that touch, titles and controls that are cut off, names without room. */
export const amissIn = (page: Page, names: NameHeads): Promise<string[]> =>
  page.evaluate(findAmiss, { names, air: AIR, least: NAME })

interface Given {
  names: NameHeads
  air: number
  least: number
}

function findAmiss({ names, air, least }: Given): string[] {
  const scale = Number.parseFloat(getComputedStyle(document.documentElement).fontSize) / 16
  const found: string[] = []
  const textOf = (element: Element) => element.textContent.trim().slice(0, 30)

  /** The position of each text, and its visible part, without hidden texts. */
  function pieces(cell: Element) {
    const row = cell.parentElement!.closest('[role=row], tr') ?? cell
    const walker = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT)
    const all: { whole: DOMRect; left: number; right: number; top: number; bottom: number }[] = []
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const parent = node.parentElement!
      if (node.textContent!.trim() === '' || parent.closest('.sr-only')) continue
      if (!parent.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue
      const range = document.createRange()
      range.selectNodeContents(node)
      const whole = range.getBoundingClientRect()
      let { left, right, top, bottom } = whole
      for (let at: Element | null = parent; at && at !== row.parentElement; at = at.parentElement) {
        const { overflowX, contain } = getComputedStyle(at)
        if (overflowX === 'visible' && !/strict|content|paint/.test(contain)) continue
        const edge = at.getBoundingClientRect()
        left = Math.max(left, edge.left)
        right = Math.min(right, edge.right)
        top = Math.max(top, edge.top)
        bottom = Math.min(bottom, edge.bottom)
      }
      if (right - left > 1 && bottom - top > 4) all.push({ whole, left, right, top, bottom })
    }
    return all
  }

  for (const table of document.querySelectorAll('[role=grid], [role=treegrid], table')) {
    if (table.getBoundingClientRect().width === 0) continue
    const label = table.getAttribute('aria-label') ?? ''
    const rows = [...table.querySelectorAll('[role=row], tr')].filter((row) => !row.closest('[aria-hidden]'))
    const cellsOf = (row: Element) => [
      ...row.querySelectorAll('[role=columnheader], [role=gridcell], th, td'),
    ]
    const hasHeads = !(label in names) || names[label] !== undefined
    const heads = hasHeads && rows.length > 0 ? cellsOf(rows[0]!) : []
    const nameAt = heads.findIndex((head) => textOf(head) === names[label])
    if (hasHeads && nameAt < 0) found.push(`${label}: no column ${names[label]}`)
    for (const row of rows) {
      const cells = cellsOf(row)
      const shown = cells.map((cell) => ({ cell, parts: pieces(cell) }))
      const texts = shown.filter(({ parts }) => parts.length > 0)
      // sticky cells cover the others, which continue below them
      const moving = texts.filter(({ cell }) => getComputedStyle(cell).position !== 'sticky')
      moving.forEach(({ cell, parts }, at) => {
        const next = moving[at + 1]
        if (!next) return
        const gap =
          Math.min(...next.parts.map(({ left }) => left)) - Math.max(...parts.map(({ right }) => right))
        if (gap < air * scale - 0.5)
          found.push(`${label}: ${Math.round(gap)} px between "${textOf(cell)}" and "${textOf(next.cell)}"`)
      })
      for (const cell of cells) {
        const beyond = cell.getBoundingClientRect().right - row.getBoundingClientRect().right
        if (beyond > 1) found.push(`${label}: "${textOf(cell)}" begins or ends beyond its row`)
      }
      // the row clips its overflow; in a table that scrolls sideways, rows are as wide as the table
      const { left: begin, right: end } = row.getBoundingClientRect()
      for (const control of row.querySelectorAll('button, a, input, [role=checkbox], [role=switch]')) {
        if (!control.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue
        const { left, right } = control.getBoundingClientRect()
        if (right - left > 1 && (left < begin - 0.5 || right > end + 0.5))
          found.push(
            `${label}: the control "${control.getAttribute('aria-label') ?? textOf(control)}" is cut`,
          )
      }
      if (hasHeads && row === rows[0]) {
        for (const { cell, parts } of texts) {
          const edge = cell.getBoundingClientRect()
          for (const { whole, left, right } of parts) {
            const isCut = whole.left < left - 0.5 || whole.right > right + 0.5
            if (isCut || whole.left < edge.left - 0.5 || whole.right > edge.right + 0.5)
              found.push(`${label}: the title "${textOf(cell)}" is cut`)
          }
        }
      } else if (nameAt >= 0 && cells.length > 1) {
        const [name] = shown[nameAt]?.parts ?? []
        if (name && name.right - name.left < Math.min(name.whole.width, least * scale) - 1)
          found.push(
            `${label}: ${Math.round(name.right - name.left)} px for "${textOf(shown[nameAt]!.cell)}"`,
          )
      }
    }
  }
  return [...new Set(found)]
}
