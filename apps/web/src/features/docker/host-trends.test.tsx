// @vitest-environment happy-dom
import { aDockerContainer, aDockerHost } from '@pulse/testkit'
import { cleanup } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { aLive } from '../../live/fake-live.ts'
import { LiveProvider } from '../../live/live.tsx'
import { drawn, inFreshPages, showWithTrends, trendsOf } from '../../parts/trends/fake-trends.tsx'
import { hosts, onPhone, onWideScreen } from './fake-docker.tsx'
import { HostSidebar } from './host-sidebar.tsx'

inFreshPages()
afterEach(cleanup)

const ids = Array.from({ length: 500 }, (_, at) => `dock${String(at).padStart(3, '0')}`)
const change = { dock001: { clockAheadMinutes: 7 }, dock002: { status: 'offline' } } as Record<string, object>
const live = aLive({
  dockerHosts: Object.fromEntries(ids.map((id) => [id, aDockerHost({ id, ...change[id] })])),
  dockerContainers: Object.fromEntries(ids.map((id) => [`${id}:web`, aDockerContainer({ host: id })])),
})

const show = () => {
  // happy-dom has no layout
  vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(window.innerHeight)
  return showWithTrends(
    <LiveProvider live={live}>
      <HostSidebar selected={undefined} onToggle={() => {}} alerts={new Map()} />
    </LiveProvider>,
    ({ fields }) => trendsOf(ids, fields),
  )
}

test('[M 3.2] CPU and memory of the visible hosts have trends, in one draw', async () => {
  onWideScreen()
  localStorage.setItem('trends', 'true')
  const { calls } = await show()
  expect(calls).toEqual([{ kind: 'dockerHosts', fields: 'cpu,memory' }])
  const visible = hosts()
  expect(visible.length).toBeLessThan(30)
  // a host with a problem shows it instead of its figures
  const withFigures = visible.filter(({ textContent }) => textContent.includes('CPU '))
  expect(visible.length - withFigures.length).toBe(1)
  expect(drawn).toMatchObject({ fills: 1, lines: 2 * withFigures.length })
  expect(document.querySelectorAll('canvas')).toHaveLength(1)
})

test.each([
  ['it is off', () => onWideScreen()],
  ['hosts stand beside each other', () => localStorage.setItem('trends', 'true')],
  [
    'a host is one line',
    () => {
      onPhone()
      localStorage.setItem('trends', 'true')
    },
  ],
])('[M 3.2] while %s, nothing is loaded and drawn', async (_, begin) => {
  begin()
  const { calls } = await show()
  expect([calls, document.querySelector('canvas')]).toEqual([[], null])
})
