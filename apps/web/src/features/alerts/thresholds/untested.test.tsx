// @vitest-environment happy-dom
import type { BackTest } from '@pulse/contract'
import { aMailGateway } from '@pulse/testkit'
import { act, fireEvent, screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { aLive } from '../../../live/fake-live.ts'
import { click, freshBrowser } from '../fake-alerts.tsx'
import { showThresholds as show } from '../fake-thresholds.tsx'
import { cellName } from './editing.tsx'
import { tables } from './tables.ts'
import { testedBy } from './tested.ts'

freshBrowser()

const call = 'POST /api/history/back-test'
const to = Date.UTC(2026, 0, 15)
const answer: BackTest = {
  from: to - 14 * 86_400_000,
  to,
  isCut: false,
  isOff: false,
  reaches: to - 14 * 86_400_000,
  perDay: [],
  total: 0,
  totalMs: 0,
  things: 0,
  top: [],
  alerts: [],
  messages: 0,
  unplayed: 1,
}
const given = { replies: { [call]: answer } }
const mail = { ...given, live: aLive({ pmg: { mail: aMailGateway() } }) }

async function type(field: HTMLElement, value: string) {
  await act(async () => void fireEvent.change(field, { target: { value } }))
  await act(async () => void fireEvent.blur(field))
}
async function edit(cell: string) {
  await click(cell)
  const field = screen.queryByRole('textbox', { name: cell.split(':')[0]! })
  // one that was off is on after the click
  if (field) await type(field, '1')
}

test.each([
  ['proxmox', 'Full in (days) of Storage Devices, global defaults: 7', 'forecasts are not recorded'],
])('[M 3.7] a threshold without a history says why: %s, %s', async (tab, cell, why) => {
  const { asked } = await show(tab, tab === 'mail-gateway' ? mail : given)
  await edit(cell)
  expect(screen.getByText(`Cannot be back-tested: ${why}.`)).toBeDefined()
  expect(asked(call)).toEqual([])
})

test.each([
  ['Backups', 'the age of backups is not recorded'],
  ['Snapshot Age', 'the age of snapshots is not recorded'],
])('[M 3.7] a limit of ages says so: %s', async (title, why) => {
  await show('proxmox', given)
  const text = `Cannot be back-tested: ${why}.`
  expect(screen.queryByText(text)).toBeNull()
  await type(screen.getByRole('textbox', { name: `Warning Days of ${title}` }), '9')
  expect(screen.getByText(text)).toBeDefined()
})

test.each([
  [
    'mail-gateway',
    'Queue Warn of Mail Gateways, global defaults: 500',
    'Queue Warn',
    { kind: 'pmg', metric: 'queueTotalWarning' },
    '1 mail gateway has several nodes. Alerts of single nodes have no history.',
  ],
  [
    'mail-gateway',
    'Growth Warn % of Mail Gateways, global defaults: 25',
    'Growth Warn %',
    { kind: 'pmg', metric: 'quarantineGrowthWarnPct' },
    'Over the last 14 days this would not have fired.',
  ],
  [
    'docker',
    'Memory Crit % of Docker Containers, global defaults: 95',
    'Memory Critical %',
    { kind: 'dockerContainers', metric: 'memoryCriticalPct' },
    '1 container has no memory limit.',
  ],
])('[M 3.7] queued mail and memory limits are back-tested: %s', async (tab, cell, header, body, text) => {
  const { asked } = await show(tab, tab === 'mail-gateway' ? mail : given)
  await edit(cell.replace('Memory Crit %', 'Memory Critical %'))
  const panel = await screen.findByRole('region', { name: `Back-test of ${header}` })
  expect(await within(panel).findByText('Over the last 14 days this would not have fired.')).toBeDefined()
  expect(within(panel).getByText(text)).toBeDefined()
  expect(asked(call).at(-1)!.body).toMatchObject(body)
})

test('[M 3.7] a delay is tried like the threshold that it belongs to', async () => {
  const { asked } = await show('proxmox', given)
  await act(async () => screen.getAllByRole('button', { name: 'Delays' })[0]!.click())
  await type(screen.getByRole('textbox', { name: 'Delay of CPU %, Proxmox Nodes' }), '60')
  await screen.findByText('Over the last 14 days this would not have fired.')
  expect(asked(call).at(-1)!.body).toMatchObject({
    kind: 'nodes',
    metric: 'cpu',
    config: { metricTimeThresholds: { node: { cpu: 60 } } },
  })
})

const all = tables.flatMap(({ kind, metrics }) => metrics.map(({ key }) => [kind, key] as const))
test.each(all)('[M 3.7] editing a threshold never shows nothing: %s %s', (kind, key) => {
  const found = testedBy(cellName(`defaults:${kind}`, key), kind)!
  expect('why' in found ? found.why : found.kind).toBeTruthy()
  // every reason is a precise one
  if ('why' in found) expect(found.why).not.toBe('this metric is not recorded')
})
