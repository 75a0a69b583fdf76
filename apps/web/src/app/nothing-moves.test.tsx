// @vitest-environment happy-dom
import { aNode, anAlert } from '@pulse/testkit'
import { act, screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { everything, inFreshBrowsers, showShell } from './fake-shell.tsx'
import type { Page } from './routes.ts'

inFreshBrowsers()

const main = () => screen.getByRole('navigation', { name: 'Main' })
const tab = (name: RegExp) => within(main()).getByRole('link', { name })

test('unreachable sources use the free room between the tabs and push none', async () => {
  const { put } = await showShell({ table: everything, guests: { nodes: { n1: aNode() } } })
  act(() => put({ nodes: { n1: aNode({ status: 'offline' }) } }))
  const chip = screen.getByRole('link', { name: 'pve1 unreachable' })
  expect(chip.previousElementSibling!.className).toBe('flex-1')
  expect(chip.nextElementSibling).toBe(tab(/^Alerts/))
})

test('the badges of alerts have their room from the next visit on, and the dot of Settings always', async () => {
  const { put } = await showShell({ table: everything })
  const room = () => tab(/^Alerts/).lastElementChild!.className
  expect(room()).not.toContain('min-w')
  act(() => put({ activeAlerts: { a: anAlert({ level: 'critical' }) } }))
  expect([room().includes('min-w'), localStorage.getItem('alertsSeen')]).toEqual([true, 'true'])
  expect(tab(/^Settings/).lastElementChild!.className).toContain('w-2')
})

const pages: Page[] = [
  everything[0]!,
  {
    path: '/proxmox/mail',
    area: 'proxmox',
    label: 'Mail Gateway',
    listedWhile: { kinds: ['nodes'], holds: (live) => live.records('nodes').size > 0, seen: 'mailSeen' },
    load: async () => () => <h1>mail</h1>,
  },
]
const mail = () =>
  within(screen.getByRole('navigation', { name: 'Proxmox' })).queryByRole('link', { name: 'Mail Gateway' })

test('a tab of the last visit is there before the first snapshot, and disappears without data', async () => {
  localStorage.setItem('mailSeen', 'true')
  const { connection } = await showShell({ table: pages, connection: { initialDataReceived: false } })
  expect(mail()).not.toBeNull()
  await act(async () => connection.set({ initialDataReceived: true }))
  expect([mail(), localStorage.getItem('mailSeen')]).toEqual([null, null])
})

test('a new tab is stored', async () => {
  const { put } = await showShell({ table: pages, connection: { initialDataReceived: true } })
  expect(mail()).toBeNull()
  act(() => put({ nodes: { n1: aNode() } }))
  expect([mail() === null, localStorage.getItem('mailSeen')]).toEqual([false, 'true'])
})
