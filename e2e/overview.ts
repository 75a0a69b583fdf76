import type { Lab } from '@pulse/lab'
import type { Locator, Page } from 'playwright-core'
import { expect } from 'vitest'
import { within } from '../scripts/test-limits.ts'

export const nodeColumns = ['Node', 'Uptime', 'CPU', 'Memory', 'Disk', 'VMs', 'Containers'] as const
export const guestColumns = [
  'Name',
  'Type',
  'VMID',
  'Uptime',
  'CPU',
  'Memory',
  'Disk',
  'Disk Read',
  'Disk Write',
  'Net In',
  'Net Out',
] as const
export type GuestColumn = (typeof guestColumns)[number]

/** The Overview as users find their way in it: by roles and texts. */
export function overview(page: Page) {
  const nodes = page.getByRole('grid', { name: 'Nodes', exact: true })
  const guests = page.getByRole('treegrid', { name: 'Guests', exact: true })
  const guest = (vmid: number): Locator =>
    guests.getByRole('row').filter({ has: page.getByRole('gridcell', { name: String(vmid), exact: true }) })
  const search = page.getByRole('textbox', { name: 'Search guests' })
  const filters = page.getByRole('button', { name: /^Filters/ })

  return {
    nodes,
    guests,
    search,
    filters,
    node: (name: string) => nodes.getByRole('row').filter({ has: link(page, name) }),
    /** above the guests of a node */
    group: (name: string) => guests.getByRole('row').filter({ has: link(page, name) }),
    guest,
    cell: (vmid: number, column: GuestColumn) =>
      guest(vmid).getByRole('gridcell').nth(guestColumns.indexOf(column)),
    /** below the row of an opened guest */
    details: (vmid: number) => guests.locator(`[data-row^="details:"][data-row$=":${vmid}"]`),
    toggle: (group: string, choice: string) =>
      page.getByRole('radiogroup', { name: group }).getByRole('radio', { name: choice, exact: true }),
    head: (column: string) => guests.getByRole('columnheader', { name: column, exact: true }),
    connection: page.getByRole('status', { name: 'Connection' }),
    lines: () => linesOf(guests),
    vmids: async () => (await linesOf(guests)).filter((line) => /^\d+$/.test(line)).map(Number),
    async showFilters() {
      if (!(await search.isVisible())) await filters.click()
      await search.waitFor()
    },
    /** Both tables have their first rows. */
    async ready() {
      await guests.getByRole('gridcell').first().waitFor()
      await nodes.getByRole('gridcell').first().waitFor()
    },
  }
}

export type Overview = ReturnType<typeof overview>

const link = (page: Page, node: string) => page.getByRole('link', { name: `${node}, open web interface` })

/** The rows of the table from top to bottom: a node's name, a guest's number, or `details`. */
function linesOf(grid: Locator): Promise<string[]> {
  return grid.evaluate((element) =>
    [...element.querySelectorAll('[role=row][data-row]')]
      .sort((a, b) => Number(a.ariaRowIndex) - Number(b.ariaRowIndex))
      .map((row) => {
        if ((row as HTMLElement).dataset['row']?.startsWith('details:')) return 'details'
        const cells = row.querySelectorAll('[role=gridcell]')
        return (cells.length > 1 ? cells[2]?.textContent : row.querySelector('a')?.textContent) ?? ''
      }),
  )
}

/** The lab's guests in the order of their numbers, without templates, which Pulse does not show. */
export const shownGuests = (lab: Lab) => lab.control.guests().filter(({ template }) => !template)

/** Polls the text of an element. */
export const expectText = (locator: Locator, timeout = 30_000) =>
  expect.poll(async () => (await locator.innerText()).trim(), { timeout: within(timeout), interval: 50 })

export const expectLines = (view: Overview, timeout = 30_000) =>
  expect.poll(() => view.lines(), { timeout: within(timeout), interval: 50 })

export const expectVmids = (view: Overview, timeout = 30_000) =>
  expect.poll(() => view.vmids(), { timeout: within(timeout), interval: 50 })

/** The text has the colour of a theme variable. */
export function hasColour(text: Locator, variable: string): Promise<boolean> {
  return text.evaluate((element, name) => {
    const probe = element.appendChild(document.createElement('span'))
    probe.style.color = `var(${name})`
    const wanted = getComputedStyle(probe).color
    probe.remove()
    return getComputedStyle(element).color === wanted
  }, variable)
}
