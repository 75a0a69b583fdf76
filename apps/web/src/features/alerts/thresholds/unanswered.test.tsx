// @vitest-environment happy-dom
import type { SourceState } from '@pulse/contract'
import { aGuest, aMailGateway } from '@pulse/testkit'
import { cleanup, screen, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { aLive } from '../../../live/fake-live.ts'
import { anAlertConfig, click, inTable, showAlerts } from '../fake-alerts.tsx'

const source = (kind: SourceState['kind'], name: string): SourceState => ({ kind, name, health: 'unknown' })
const show = (path: string, given: Parameters<typeof showAlerts>[1]) =>
  showAlerts(`/alerts/thresholds/${path}`, given)

beforeEach(() => localStorage.clear())
afterEach(cleanup)

test.each([
  ['mail-gateway', 'Mail Gateways', 'pmg', 'pmg:c1'],
  ['proxmox', 'PBS Servers', 'pbs', 'pbs:c1'],
] as const)('on %s, %s lists what is configured and has not answered yet', async (tab, title, kind, key) => {
  const live = aLive({ sources: { c1: source(kind, `${kind}-cellar`) } })
  const { stored, settled } = await show(tab, { live })
  expect(inTable(title).getByText('has not answered yet')).toBeDefined()
  await click('Alerts of cellar', 'switch')
  expect(inTable(title).queryByText(/Not reported at present/)).toBeNull()
  await click('Save Changes')
  await settled()
  expect(stored().overrides).toEqual({ [key]: { disabled: true } })
})

test('those that have not answered stand by name, in natural order, whatever their ids are', async () => {
  const live = aLive({
    sources: {
      a1: source('pmg', 'pmg-mail10'),
      b2: source('pmg', 'pmg-mail2'),
      c3: source('pmg', 'pmg-mail1'),
    },
  })
  await show('mail-gateway', { live })
  const shown = inTable('Mail Gateways').getAllByText(/^mail\d+$/)
  expect(shown.map(({ textContent }) => textContent)).toEqual(['mail1', 'mail2', 'mail10'])
})

test('once it answers it is a row as any other', async () => {
  const live = aLive({
    sources: { mail: source('pmg', 'pmg-mail') },
    pmg: { mail: aMailGateway() },
  })
  await show('mail-gateway', { live })
  expect(screen.queryByText('has not answered yet')).toBeNull()
})

test('[spec 3 §4] the summary counts what the tables show', async () => {
  const live = aLive({
    guests: { 'main:100': aGuest(), 'main:900': aGuest({ vmid: 900, template: true }) },
    sources: { c1: source('pbs', 'pbs-cellar') },
  })
  const config = anAlertConfig({ overrides: { 'guest:main:100': { disabled: true } } })
  await show('proxmox', { live, config })
  const items = within(screen.getByRole('list', { name: 'Sections' })).getAllByRole('button')
  expect(items.map(({ textContent }) => textContent)).toEqual([
    'PBS Servers1',
    'VMs & Containers1 · 1 override',
  ])
  expect(inTable('PBS Servers').getByText('cellar')).toBeDefined()
  // the note appears once
  expect(inTable('PBS Servers').queryByText('1')).toBeNull()
})
