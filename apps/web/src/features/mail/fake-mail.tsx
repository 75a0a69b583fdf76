import type { GatewayNode, MailGateway, SourceState } from '@pulse/contract'
import { aMailGateway, BUILT_AT } from '@pulse/testkit'
import { cleanup, screen, within } from '@testing-library/react'
import { afterEach, beforeEach, vi } from 'vitest'
import type { Connection } from '../../live/connection.ts'
import { aLive } from '../../live/fake-live.ts'
import { renderInApp } from '../../parts/fake-app.tsx'
import { MailPage } from './page.tsx'

export const second = 1000
export const hour = 3600 * second

/** Freezes the time for all tests of a file, shortly after the records were made. */
export function atOneMoment() {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['Date'], now: BUILT_AT + 12 * second })
  })
  afterEach(() => {
    cleanup()
    vi.useRealTimers()
    vi.unstubAllGlobals()
  })
}

export const aSource = (change: Partial<SourceState> = {}): SourceState => ({
  name: 'pmg-mail',
  kind: 'pmg',
  health: 'healthy',
  lastSeen: BUILT_AT,
  ...change,
})

export const aNode = (change: Partial<GatewayNode> = {}): GatewayNode => ({
  ...aMailGateway().nodes![0]!,
  ...change,
})

interface Given {
  gateways?: Record<string, MailGateway>
  sources?: Record<string, SourceState>
  connection?: Partial<Connection>
}

/** Renders the page over these gateways. */
export async function show({
  gateways = { mail: aMailGateway() },
  sources = { mail: aSource() },
  connection,
}: Given = {}) {
  const live = aLive({ pmg: gateways, sources }, connection)
  await renderInApp(<MailPage />, { live })
  return live
}

export const card = (name = 'mail') => screen.getByRole('article', { name })
export const panel = (name: string, of = card()) => within(of).getByRole('group', { name })

/** Lines of a panel in reading order. */
export const lines = (name: string) =>
  [...panel(name).querySelectorAll('dl > div')].map((line) =>
    [...line.querySelectorAll('dt, dd > span:not([aria-hidden])')].map((one) => one.textContent).join(' | '),
  )

export const nodeRows = () =>
  within(screen.getByRole('table', { name: 'Cluster Nodes' }))
    .getAllByRole('row')
    .map((row) => [...row.children].map((cell) => cell.textContent))
