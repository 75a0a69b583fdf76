import { aNode, aStorage } from '@pulse/testkit'
import { act, cleanup, fireEvent, screen, within } from '@testing-library/react'
import { afterEach, beforeEach, vi } from 'vitest'
import type { Connection } from '../../live/connection.ts'
import { aLive } from '../../live/fake-live.ts'
import { renderInApp } from '../../parts/fake-app.tsx'
import { StoragePage } from './page.tsx'
import { openPools } from './pool-name.tsx'

export type Given = Parameters<typeof aLive>[0]

/** Renders the page over these records. */
export async function given(records: Given, connection: Partial<Connection> = {}) {
  const live = aLive(records, connection)
  await renderInApp(<StoragePage />, { live })
  return live
}

export const press = (key: string, target: Element = document.body) =>
  act(() => void fireEvent.keyDown(target, { key }))
export const row = (key: string) => document.querySelector<HTMLElement>(`[data-row="${key}"]`)!
export const cells = (key: string) =>
  within(row(key))
    .getAllByRole('gridcell')
    .map((cell) => cell.textContent)
export const rowsOf = (label: string) =>
  [...screen.getByLabelText(label).querySelectorAll<HTMLElement>('[data-row]')].map((one) =>
    one.dataset['row']!.replace('\0', '/'),
  )
export const poolRows = () => rowsOf('Storage pools')
export const heads = (label: string) =>
  within(screen.getByLabelText(label))
    .getAllByRole('columnheader')
    .map((head) => head.textContent)
export const openDisks = () =>
  act(async () => void fireEvent.click(screen.getByRole('tab', { name: 'Physical Disks' })))
export const search = (name = 'Search storage') => screen.getByRole<HTMLInputElement>('textbox', { name })
export const type = (value: string, name?: string) =>
  act(async () => void fireEvent.change(search(name), { target: { value } }))

/** A storage that two nodes share. */
export const onAll = { shared: true, node: 'cluster', nodes: ['pve1', 'pve2'], nodeCount: 2 }
export const zfsPool = {
  name: 'tank',
  state: 'ONLINE',
  readErrors: 0,
  writeErrors: 0,
  checksumErrors: 0,
  devices: [],
}

export const estate = {
  nodes: { n1: aNode(), n2: aNode({ node: 'pve2' }) },
  storage: {
    s1: aStorage({ name: 'local' }),
    s2: aStorage({ name: 'tank', node: 'pve2', type: 'zfspool', content: 'images,rootdir', zfsPool }),
    s3: aStorage({ ...onAll, name: 'fast', type: 'rbd', content: 'images' }),
  },
} satisfies Given

/** For each test: nothing stored, a wide window, no open row. */
export function freshPools(): void {
  beforeEach(() => {
    localStorage.clear()
    vi.stubGlobal('scrollTo', () => {})
    // wide enough for every column
    vi.stubGlobal('matchMedia', () => ({ matches: false, addEventListener() {}, removeEventListener() {} }))
  })
  afterEach(() => {
    cleanup()
    act(openPools.collapseAll)
    vi.unstubAllGlobals()
  })
}
