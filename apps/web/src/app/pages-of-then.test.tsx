// @vitest-environment happy-dom
import type { AlertHistoryEntry, HistoryChange } from '@pulse/contract'
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
import { act, screen, waitFor } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { aPastState } from '../live/fake-past.ts'
import { showPast } from './fake-past.tsx'
import { inFreshBrowsers } from './fake-shell.tsx'
import { hasPast, pages } from './routes.ts'

inFreshBrowsers()
afterEach(() => void vi.useRealTimers())

const minute = 60_000
const at = Date.UTC(2026, 10, 28, 14, 5)
/** a step of the time machine */
const later = at + 10 * minute
const now = Date.UTC(2026, 10, 28, 15)
const times = [
  ['then', at],
  ['later', later],
  ['now', now],
] as const
type Time = (typeof times)[number][0]
const timeOf = (name: Time): number => times.find(([one]) => one === name)![1]
const guestId = aGuest({}).id

/** One record of each kind, which names its time. */
const estate = (name: Time, time = timeOf(name)) => ({
  nodes: { n1: aNode({ node: `${name}-node` }) },
  guests: { g1: aGuest({ id: guestId, name: `${name}-guest`, node: `${name}-node` }) },
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
const backups = (name: Time) => ({ pmgBackups: { b1: aPmgBackup({ node: `${name}-backup` }) } })

/** What happened just before each time, with its name. */
const changes = times.map(([name, time]): HistoryChange => ({
  at: time - minute,
  kind: 'guests',
  id: 'g2',
  name: `${name}-change`,
  what: 'restarted',
}))
const alerts = times.map(([name, time]): AlertHistoryEntry => ({
  ...anAlert({
    id: `${name}-past`,
    resourceId: guestId,
    message: `${name}-message`,
    startTime: new Date(time - 2 * minute).toISOString(),
  }),
  peakLevel: 'warning',
  status: 'resolved',
  endTime: new Date(time - minute).toISOString(),
  duration: 60,
}))

const shown: Record<string, RegExp> = {
  '/proxmox/overview': /then-guest/,
  '/proxmox/storage': /then-storage/,
  '/proxmox/mail': /then-gateway/,
  '/proxmox/backups': /then-backup/,
  '/proxmox/changes': /then-change/,
  '/proxmox/guest/g1': /then-guest.*then-message/,
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
  '[M 3.4] %s shows what was then, with the clock of then, moves with the moment, and shows nothing of later',
  async (path, text) => {
    vi.useFakeTimers({ now, shouldAdvanceTime: true, toFake: ['Date'] })
    const { router } = await showPast({
      table: pages,
      path: `${path}?at=${at}`,
      live: { ...estate('now'), ...backups('now') },
      changes,
      alerts,
      async state(moment, slice) {
        const name = moment < later ? 'then' : 'later'
        return slice === 'live'
          ? aPastState(moment, estate(name))
          : aPastState(moment, backups(name), { slice: 'backups' })
      },
    })
    const main = () => screen.getByRole('main').textContent
    await waitFor(() => expect(main()).toMatch(text))
    expect(main()).not.toMatch(/now-|later-/)
    await act(async () => router.replace(`${path}?at=${later}`))
    await waitFor(() => expect(main()).toMatch(new RegExp(text.source.replaceAll('then-', 'later-'))))
    expect(main()).not.toContain('now-')
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
      state: async (moment) => aPastState(moment, estate('then')),
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
