import type { TrendTable } from './trend-table.ts'

/** px between the edge of a cell and its content, and around the lines of a row; at the default text size */
const padding = 8
const phonePadding = 12
const phoneFigures = 3

/** A column whose figures have trends. */
export interface Place {
  field: string
  left: number
  width: number
}

interface Drawn extends Pick<TrendTable, 'columns' | 'phone'> {
  table: Element
  /** as wide as the rows */
  body: Element
  fields: ReadonlySet<string>
  /** the text size, relative to the default */
  scale: number
}

export const headCells = (table: Element): readonly HTMLElement[] => [
  ...table.querySelectorAll<HTMLElement>('[role=columnheader], th'),
]

/** From the cells of the head, because the rows have the same tracks. To be called after the layout. */
export function placesOf({ table, body, columns, phone, fields, scale }: Drawn): Place[] {
  if (phone) return placesOnPhone(body.clientWidth, { columns, fields, scale })
  const cells = headCells(table)
  return columns.flatMap(({ id }, at) => {
    const cell = cells[at]
    if (!cell || !fields.has(id)) return []
    const { offsetLeft, offsetWidth } = cell
    return [{ field: id, left: offsetLeft + padding * scale, width: offsetWidth - 2 * padding * scale }]
  })
}

/** A row of two lines has three figures in its second one. */
function placesOnPhone(
  width: number,
  { columns, fields, scale }: Pick<Drawn, 'columns' | 'fields' | 'scale'>,
): Place[] {
  const gap = phonePadding * scale
  const figure = (width - (phoneFigures + 1) * gap) / phoneFigures
  return columns
    .filter(({ phone }) => phone?.slot === 'figure')
    .slice(0, phoneFigures)
    .flatMap(({ id }, at) =>
      fields.has(id) ? [{ field: id, left: gap + at * (figure + gap), width: figure }] : [],
    )
}

/** The part of a row that a line is drawn in. */
export const heightsIn = (
  { top, height }: { top: number; height: number },
  phone: boolean,
): { top: number; bottom: number } =>
  // the last pixel is the border
  phone ? { top: top + height / 2, bottom: top + height - 2 } : { top: top + 4, bottom: top + height - 2 }
