// @vitest-environment happy-dom
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createMemoryHistory } from './fake-history.ts'
import { Link, Navigate } from './link.tsx'
import { Outlet } from './outlet.tsx'
import { createRouter, type RoutePage } from './router.ts'
import { RouterContext, usePath, useShownLocation } from './use-router.ts'

type Code = Awaited<ReturnType<RoutePage['load']>>

let scrolled: number
let comes: (code: Code) => void
let fails: (error: Error) => void
let loads: number
let isServerThere: boolean

const home: RoutePage = { path: '/home', load: async () => () => <Link to="/far">far</Link> }
/** the test resolves its code */
const far: RoutePage = {
  path: '/far',
  load() {
    loads++
    return new Promise((resolve, reject) => ([comes, fails] = [resolve, reject]))
  },
}
const old: RoutePage = { path: '/old', load: async () => () => <Navigate to="/home?kept" /> }
const pages = [home, far, old]
const Far = () => <p>far away</p>

function Where() {
  const drawn = useShownLocation()
  return <output>{`${usePath()} ${drawn?.path}${drawn?.search}`}</output>
}

async function setup(path = '/home') {
  const history = createMemoryHistory({ initialEntries: [path] })
  const pageAt = (at: string) => pages.find((page) => page.path === at)
  const router = createRouter({
    history,
    pageAt,
    resolve: (at) => (pageAt(at) ? at : '/home'),
    isServerUp: async () => isServerThere,
  })
  await act(async () => {
    render(
      <RouterContext value={router}>
        <Where />
        <Outlet fallback={<p>on its way</p>} />
      </RouterContext>,
    )
    router.start()
  })
  return { router, history }
}

test('[M 3.4] what is carried is in each link, redirect and navigation, and not in replaced parameters', async () => {
  const history = createMemoryHistory({ initialEntries: ['/home?at=5'] })
  const router = createRouter({
    history,
    pageAt: (at) => pages.find((page) => page.path === at),
    resolve: (at) => (at === '/far' ? '/home' : at),
    isServerUp: async () => true,
    carry: (href, { search }) => (search && !href.includes('?') ? href + search : href),
  })
  render(
    <RouterContext value={router}>
      <Link to="/old">old</Link>
    </RouterContext>,
  )
  expect(screen.getByRole('link').getAttribute('href')).toBe('/old?at=5')
  await router.load()
  await router.go('/far')
  expect(history.location()).toMatchObject({ path: '/home', search: '?at=5' })
  await act(async () => router.replace('/home'))
  expect(history.location()).toMatchObject({ path: '/home', search: '' })
  expect(screen.getByRole('link').getAttribute('href')).toBe('/old')
})

const where = () => screen.getByRole('status').textContent
const follow = (name: string) => act(async () => void fireEvent.click(screen.getByRole('link', { name })))

beforeEach(() => {
  scrolled = loads = 0
  isServerThere = true
  vi.stubGlobal('scrollTo', () => void scrolled++)
  sessionStorage.clear()
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
  vi.useRealTimers()
  vi.restoreAllMocks()
})

test('the previous page stays until the code of the next one has loaded', async () => {
  await setup()
  await follow('far')
  expect([where(), screen.queryByRole('link')]).toEqual(['/far /home', expect.anything()])
  await act(async () => comes(Far))
  expect([where(), screen.getByText('far away'), scrolled]).toEqual(['/far /far', expect.anything(), 1])
})

test('code that loads slowly shows the loading state', async () => {
  vi.useFakeTimers()
  await setup('/far')
  expect(screen.queryByText('on its way')).toBeNull()
  await act(() => vi.advanceTimersByTimeAsync(150))
  expect(screen.getByText('on its way')).toBeDefined()
  await act(async () => comes(Far))
  expect([screen.queryByText('on its way'), screen.getByText('far away')]).toEqual([null, expect.anything()])
})

test('hover and focus on a link preload its code once', async () => {
  const { router } = await setup()
  fireEvent.pointerEnter(screen.getByRole('link'))
  expect(loads).toBe(1)
  await act(async () => comes(Far))
  await follow('far')
  expect([screen.getByText('far away'), loads]).toEqual([expect.anything(), 1])
  await act(() => router.preload('/far'))
  expect(loads).toBe(1)
})

test('the browser handles a link for another tab or window', async () => {
  await setup()
  for (const key of ['metaKey', 'ctrlKey', 'shiftKey', 'altKey'] as const) {
    expect(fireEvent.click(screen.getByRole('link'), { [key]: true }), key).toBe(true)
  }
  expect(where()).toBe('/home /home')
})

test('Back keeps the scroll position and shows no loading state', async () => {
  const { history } = await setup()
  await follow('far')
  await act(async () => comes(Far))
  act(() => history.go(-1))
  expect([where(), scrolled]).toEqual(['/home /home', 1])
})

test('an address that no page answers, and one that a page sends on, leave no entry behind', async () => {
  const { history } = await setup()
  await act(async () => history.push('/nowhere'))
  expect(where()).toBe('/home /home')
  await act(async () => history.push('/old'))
  expect(where()).toBe('/home /home?kept')
  act(() => history.go(-1))
  expect(where()).toBe('/home /home')
})

test('missing code shows an error instead of the page and can be retried', async () => {
  await setup('/far')
  await act(async () => fails(new Error('no such code')))
  expect(screen.getByRole('alert').textContent).toContain('no such code')
  fireEvent.click(screen.getByRole('button', { name: 'Try Again' }))
  await act(async () => comes(Far))
  expect(screen.getByText('far away')).toBeDefined()
})

describe('code that a server update removed', () => {
  const gone = new TypeError('Importing a module script failed.')
  const reloads = () => vi.mocked(window.location.reload).mock.calls.length
  const missingCode = async () => {
    cleanup()
    const { router } = await setup('/far')
    await act(async () => fails(gone))
    return router
  }
  beforeEach(() => {
    vi.useFakeTimers()
    vi.spyOn(window.location, 'reload').mockImplementation(() => {})
  })

  test('reloads the page once', async () => {
    await missingCode()
    expect([reloads(), screen.queryByRole('alert')]).toEqual([1, null])
    await missingCode()
    expect([reloads(), screen.getByRole('alert')]).toEqual([1, expect.anything()])
  })

  test('reloads after the next update too, although the browser names no file', async () => {
    const router = await missingCode()
    await act(() => router.preload('/home'))
    await missingCode()
    expect(reloads()).toBe(2)
  })

  test('shows the error while the server is unreachable: a reload would leave an empty page', async () => {
    isServerThere = false
    await missingCode()
    expect([reloads(), screen.getByRole('alert')]).toEqual([0, expect.anything()])
    isServerThere = true
    fireEvent.click(screen.getByRole('button', { name: 'Try Again' }))
    await act(async () => fails(gone))
    expect(reloads()).toBe(1)
  })

  test('shows the error when the user stays instead of reloading', async () => {
    await missingCode()
    await act(() => vi.advanceTimersByTimeAsync(2_000))
    expect(screen.getByRole('alert')).toBeDefined()
  })
})

test.each(['/nowhere', '/home'])('a link scrolls to the top, also one to %s that redirects', async (to) => {
  const { router } = await setup('/old')
  await act(() => router.go(to))
  expect([where(), scrolled]).toEqual(['/home /home', 1])
})
