// @vitest-environment happy-dom
import {
  aDockerContainer,
  aDockerHost,
  aGuest,
  aMailGateway,
  anAlert,
  aNode,
  aPmgBackup,
  aStorage,
} from '@pulse/testkit'
import { screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { aPastState } from '../live/fake-past.ts'
import { showPast } from './fake-past.tsx'
import { inFreshBrowsers } from './fake-shell.tsx'
import { hasPast, pages } from './routes.ts'

inFreshBrowsers()

const at = Date.UTC(2026, 10, 28, 14, 5)

/** One record of each kind, which names its time. */
const estate = (name: string, time: number) => ({
  nodes: { n1: aNode({ node: `${name}-node` }) },
  guests: { g1: aGuest({ name: `${name}-guest`, node: `${name}-node` }) },
  storage: { s1: aStorage({ name: `${name}-storage`, node: `${name}-node` }) },
  pmg: { p1: aMailGateway({ name: `${name}-gateway`, host: `${name}-gateway` }) },
  dockerHosts: { dock1: aDockerHost({ id: 'dock1', displayName: `${name}-host` }) },
  dockerContainers: { c1: aDockerContainer({ name: `${name}-container` }) },
  activeAlerts: {
    a1: anAlert({
      id: 'a1',
      resourceName: `${name}-alert`,
      startTime: new Date(time - 5 * 60_000).toISOString(),
    }),
  },
})
const backups = (name: string) => ({ pmgBackups: { b1: aPmgBackup({ node: `${name}-backup` }) } })

const shown: Record<string, RegExp> = {
  '/proxmox/overview': /then-guest/,
  '/proxmox/storage': /then-storage/,
  '/proxmox/mail': /then-gateway/,
  '/proxmox/backups': /then-backup/,
  '/proxmox/changes': /No changes/,
  '/proxmox/guest/g1': /then-guest/,
  '/proxmox/node/n1': /then-guest/,
  '/docker': /then-container/,
  '/alerts/overview': /then-alert.*5 minutes ago/,
  '/alerts/history': /then-alert/,
}

test('[M 3.4] every page has a past, except those that only configure', () => {
  const withPast = pages.map(({ path }) => path).filter((path) => hasPast(path))
  expect(withPast).toEqual(pages.map(({ path }) => path).filter((path) => path !== '/settings'))
  const covered = Object.keys(shown)
  expect(withPast.filter((path) => !covered.some((one) => one.startsWith(path)))).toEqual([])
  for (const path of ['/alerts/thresholds/proxmox', '/alerts/schedule', '/settings/security'])
    expect([path, hasPast(path)]).toEqual([path, false])
})

test.each(Object.entries(shown))(
  '[M 3.4] %s shows the records of then, with the clock of then, and none of now',
  async (path, text) => {
    await showPast({
      table: pages,
      path: `${path}?at=${at}`,
      live: { ...estate('now', Date.now()), ...backups('now') },
      state: async (moment, slice) =>
        slice === 'live'
          ? aPastState(moment, estate('then', at))
          : aPastState(moment, backups('then'), { slice: 'backups' }),
    })
    await waitFor(() => expect(screen.getByRole('main').textContent).toMatch(text))
    expect(screen.getByRole('main').textContent).not.toContain('now-')
  },
)

test.each([
  {
    path: '/alerts/overview',
    names: [/^Acknowledge then-alert/, /^Acknowledge all/, /^Snooze/, /^Why: then-alert/],
  },
  { path: '/alerts/history', names: [/^Clear All History/] },
])(
  '[M 3.4] on $path of the past, what changes something is disabled and says why',
  async ({ path, names }) => {
    await showPast({
      table: pages,
      path: `${path}?at=${at}`,
      state: async (moment) => aPastState(moment, estate('then', at)),
    })
    await waitFor(() => expect(screen.getByRole('main').textContent).toContain('then-alert'))
    for (const name of names) {
      const button = await screen.findByRole<HTMLButtonElement>('button', { name })
      const reason = button.closest<HTMLElement>('[data-tip]')!.dataset['tip']
      expect([button.disabled, reason]).toEqual([
        true,
        expect.stringMatching(
          /^This is the past: nothing can be changed here$|^Only current alerts can be explained$/,
        ),
      ])
    }
    expect(screen.queryByRole('checkbox')).toBeNull()
  },
)
