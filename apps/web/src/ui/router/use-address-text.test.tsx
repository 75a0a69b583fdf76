// @vitest-environment happy-dom
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createMemoryHistory } from './fake-history.ts'
import { Outlet } from './outlet.tsx'
import { createRouter } from './router.ts'
import { useAddressText } from './use-address-text.ts'
import { RouterContext } from './use-router.ts'

function List() {
  const [text, setText] = useAddressText('search')
  return <input value={text} onChange={({ target }) => setText(target.value)} />
}

async function setup(...initialEntries: string[]) {
  const history = createMemoryHistory({ initialEntries })
  const pages = [
    { path: '/list', load: async () => List },
    { path: '/else', load: async () => () => <p>elsewhere</p> },
  ]
  const router = createRouter({
    history,
    pageAt: (at) => pages.find(({ path }) => path === at),
    resolve: (at) => at,
    isServerUp: async () => true,
  })
  await act(async () => {
    render(
      <RouterContext value={router}>
        <Outlet fallback={null} />
      </RouterContext>,
    )
    await router.load()
  })
  const field = () => screen.getByRole<HTMLInputElement>('textbox')
  return {
    router,
    history,
    address: () => history.location().path + history.location().search,
    typed: () => field().value,
    type: (value: string) => fireEvent.change(field(), { target: { value } }),
    pause: () => act(() => vi.advanceTimersByTimeAsync(300)),
  }
}

beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal('scrollTo', () => {})
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

test('a link writes the typed text to the address before it leaves', async () => {
  const { router, history, type, address, typed, pause } = await setup('/list?kind=vm')
  type('web')
  await act(() => router.go('/else'))
  await pause()
  expect(address()).toBe('/else')
  await act(async () => history.go(-1))
  expect([address(), typed()]).toEqual(['/list?kind=vm&search=web', 'web'])
})

test('a link to the same page sets the text of its address', async () => {
  const { router, history, type, address, typed, pause } = await setup('/list')
  type('web')
  await act(() => router.go('/list?search=db'))
  await pause()
  expect([address(), typed()]).toEqual(['/list?search=db', 'db'])
  await act(async () => history.go(-1))
  expect(address()).toBe('/list?search=web')
})

test('Back discards the typed text', async () => {
  const { history, type, address, typed, pause } = await setup('/list?search=old', '/list?search=new')
  type('newer')
  await act(async () => history.go(-1))
  await pause()
  expect([address(), typed()]).toEqual(['/list?search=old', 'old'])
})

test('other changes of the address and the typed text both stay', async () => {
  const { router, type, address, typed, pause } = await setup('/list')
  type('web')
  act(() => router.replace('/list?kind=vm'))
  expect(typed()).toBe('web')
  await pause()
  expect([address(), typed()]).toEqual(['/list?kind=vm&search=web', 'web'])
})

test('a long pasted text is cut to a length that servers accept', async () => {
  const { type, address, typed, pause } = await setup('/list')
  type('世%'.repeat(10_000))
  await pause()
  expect(typed()).toBe('世%'.repeat(250))
  expect(address().length).toBeLessThan(8_000)
})
