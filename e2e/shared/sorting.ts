import { describe, expect, test } from 'vitest'
import type { Given } from '../journey.ts'
import { expectText, guestColumns, nodeColumns, overview } from '../overview.ts'

const ascendingFirst = ['Name', 'Type', 'VMID']
const units: Record<string, number> = {
  B: 1,
  KB: 1024,
  MB: 1024 ** 2,
  GB: 1024 ** 3,
  d: 86_400,
  h: 3_600,
  m: 60,
  s: 1,
}

export function sorting(given: Given): void {
  describe('sorting', () => {
    test('[spec 1 §4] guests: every column, its first direction, the second click, missing last', async () => {
      const { page } = await given.open({ height: 3_000, stored: { dashboardGroupingMode: 'flat' } })
      const view = overview(page)
      await view.ready()
      await expectText(view.cell(100, 'Net Out'), 30_000).not.toBe('—')
      const shown = async (column: number) => {
        const rows = await view.guests.evaluate((grid) =>
          [...grid.querySelectorAll('[role=row][data-row]')]
            .sort((a, b) => Number(a.ariaRowIndex) - Number(b.ariaRowIndex))
            .map((row) => [...row.querySelectorAll('[role=gridcell]')].map((cell) => cell.textContent)),
        )
        return rows.map((cells) => read(cells[column]!))
      }

      for (const [index, column] of guestColumns.entries()) {
        if (index === 0) continue
        const first: Direction = ascendingFirst.includes(column) ? 'ascending' : 'descending'
        const second = opposite(first)
        for (const direction of column === 'VMID' ? [first] : [first, second]) {
          await view.head(column).getByRole('button').click()
          await expect.poll(() => view.head(column).getAttribute('aria-sort')).toBe(direction)
          // the order waits while the pointer is in the table
          await page.mouse.move(0, 0)
          await expect.poll(async () => disorder(await shown(index), direction), { message: column }).toBe('')
        }
      }
      const sorted = view.guests.locator('[role=columnheader]:not([aria-sort=none])')
      expect(await sorted.allInnerTexts()).toEqual(['Net Out'])
    })

    test('[spec 1 §4] guests: by name, as people sort', async () => {
      const { page } = await given.open({ height: 3_000, stored: { dashboardGroupingMode: 'flat' } })
      const view = overview(page)
      await view.ready()
      const names = () =>
        view.guests.evaluate((grid) =>
          [...grid.querySelectorAll('[role=row][data-row]')]
            .sort((a, b) => Number(a.ariaRowIndex) - Number(b.ariaRowIndex))
            .map((row) => row.querySelector('button')!.ariaLabel!.replace('Details of ', '')),
        )
      const { compare } = new Intl.Collator('en-US', { numeric: true, sensitivity: 'base' })
      // A guest may leave meanwhile, so this compares only the guests that are shown.
      const misplaced = (shown: string[]) => {
        const sorted = shown.toSorted(compare)
        return shown.filter((name, index) => name !== sorted[index])
      }
      await view.head('Name').getByRole('button').click()
      await expect.poll(async () => misplaced(await names())).toEqual([])
      await view.head('Name').getByRole('button').click()
      await expect.poll(async () => misplaced((await names()).toReversed())).toEqual([])
      expect((await names()).length).toBeGreaterThan(60)
    })

    test('[spec 1 §2] nodes: first the column, then the other way, then the default order', async () => {
      const { page } = await given.open()
      const view = overview(page)
      await view.ready()
      const head = (column: string) => view.nodes.getByRole('columnheader', { name: column, exact: true })
      const cells = async (index: number) => {
        const rows = await view.nodes.locator('[role=row][data-row]').all()
        return Promise.all(rows.map((row) => row.getByRole('gridcell').nth(index).innerText()))
      }
      const order = async () => (await cells(0)).map((text) => /pve\d/.exec(text)![0])
      for (const [index, column] of nodeColumns.entries()) {
        const first: Direction = column === 'Node' ? 'ascending' : 'descending'
        const second = opposite(first)
        for (const direction of [first, second]) {
          await head(column).getByRole('button').click()
          await expect.poll(() => head(column).getAttribute('aria-sort')).toBe(direction)
          if (index === 0) {
            expect(await order()).toEqual(
              direction === 'ascending' ? ['pve1', 'pve2', 'pve3'] : ['pve3', 'pve2', 'pve1'],
            )
          } else {
            await expect.poll(async () => disorder((await cells(index)).map(read), direction)).toBe('')
          }
        }
        await head(column).getByRole('button').click()
        await expect.poll(() => head(column).getAttribute('aria-sort')).toBe('none')
        await expect.poll(order).toEqual(['pve1', 'pve2', 'pve3'])
      }
    })
  })
}

type Direction = 'ascending' | 'descending'
const opposite = (direction: Direction): Direction => (direction === 'ascending' ? 'descending' : 'ascending')

type Value = number | string | undefined

/** '95.0%', '12d 4h', '1.5 MB/s', '101' as a number; '—' is missing; anything else is a text. */
function read(text: string): Value {
  if (text.trim() === '—') return undefined
  const parts = [...text.matchAll(/([\d.,]+)\s*([A-Za-z]*)/g)]
  if (parts.length === 0) return text
  return parts.reduce(
    (total, [, figure, unit]) => total + Number(figure!.replaceAll(',', '')) * (units[unit!] ?? 1),
    0,
  )
}

/** Neighbours in the wrong order; '' when there are none. */
function disorder(values: readonly Value[], direction: Direction): string {
  for (const [index, value] of values.entries()) {
    const before = values[index - 1]
    if (index === 0 || value === undefined) continue
    if (before === undefined) return `${value} after a missing one`
    if (before !== value && before > value === (direction === 'ascending')) return `${before} before ${value}`
  }
  return ''
}
