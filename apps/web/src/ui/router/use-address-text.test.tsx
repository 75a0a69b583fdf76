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
    answers: async () => true,
  })
  await act(async () => {
    render(
      <RouterContext value={router}>
        <Outlet late={null} />
      </RouterContext>,
    )
    await router.load()
  })
  const field = () => screen.getByRole<HTMLInputElement>('textbox')
  return {
    router,
    history,
    address: () => history.place().path + history.place().search,
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

test('what was typed last is in the address that a link leaves behind', async () => {
  const { router, history, type, address, typed, pause } = await setup('/list?kind=vm')
  type('web')
  await act(() => router.go('/else'))
  await pause()
  expect(address()).toBe('/else')
  await act(async () => history.go(-1))
  expect([address(), typed()]).toEqual(['/list?kind=vm&search=web', 'web'])
})

test('a link to the same page begins with what its address says', async () => {
  const { router, history, type, address, typed, pause } = await setup('/list')
  type('web')
  await act(() => router.go('/list?search=db'))
  await pause()
  expect([address(), typed()]).toEqual(['/list?search=db', 'db'])
  await act(async () => history.go(-1))
  expect(address()).toBe('/list?search=web')
})

test('what is typed when Back is pressed does not get into the address that Back leads to', async () => {
  const { history, type, address, typed, pause } = await setup('/list?search=old', '/list?search=new')
  type('newer')
  await act(async () => history.go(-1))
  await pause()
  expect([address(), typed()]).toEqual(['/list?search=old', 'old'])
})

test('what else changes in the address meanwhile stays, and so does what is typed', async () => {
  const { router, type, address, typed, pause } = await setup('/list')
  type('web')
  act(() => router.replace('/list?kind=vm'))
  expect(typed()).toBe('web')
  await pause()
  expect([address(), typed()]).toEqual(['/list?kind=vm&search=web', 'web'])
})

test('a text that is pasted, however long, leaves an address that a server takes', async () => {
  const { type, address, typed, pause } = await setup('/list')
  type('世%'.repeat(10_000))
  await pause()
  expect(typed()).toBe('世%'.repeat(250))
  expect(address().length).toBeLessThan(8_000)
})
