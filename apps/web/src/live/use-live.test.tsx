// @vitest-environment happy-dom
import { aGuest, aNode } from '@pulse/testkit'
import { act, cleanup, render, screen } from '@testing-library/react'
import { memo, type ReactNode } from 'react'
import { afterEach, expect, test, vi } from 'vitest'
import { aLive } from './fake-live.ts'
import { LiveProvider } from './live.tsx'
import { sameList, useConnection, useEntity, useIds, useLive, useLiveEvent } from './use-live.ts'

afterEach(cleanup)

const guests = { 'c:1': aGuest({ vmid: 1, name: 'one' }), 'c:2': aGuest({ vmid: 2, name: 'two' }) }

function show(ui: ReactNode, live = aLive({ guests })) {
  render(<LiveProvider live={live}>{ui}</LiveProvider>)
  return live
}

function drawCounter() {
  const counts = new Map<string, number>()
  return { counts, drawn: (name: string) => counts.set(name, (counts.get(name) ?? 0) + 1) }
}

test('a row renders again only when its own record changes', () => {
  const { counts, drawn } = drawCounter()
  const Row = memo(function Row({ id }: { id: string }) {
    drawn(id)
    return <li>{useEntity('guests', id)?.name}</li>
  })
  function List() {
    drawn('list')
    return useIds('guests').map((id) => <Row key={id} id={id} />)
  }
  const live = show(<List />)
  act(() => live.put({ guests: { 'c:2': aGuest({ vmid: 2, name: 'deux' }) } }))
  expect(screen.getByText('deux')).toBeDefined()
  expect(Object.fromEntries(counts)).toEqual({ list: 1, 'c:1': 1, 'c:2': 2 })
  act(() => live.put({ guests: { 'c:3': aGuest({ vmid: 3, name: 'three' }) } }))
  expect(Object.fromEntries(counts)).toEqual({ list: 2, 'c:1': 1, 'c:2': 2, 'c:3': 1 })
  act(() => live.remove('guests', 'c:1'))
  expect(screen.queryByText('one')).toBeNull()
})

test('a record added later is rendered', () => {
  function One() {
    return <p>{useEntity('nodes', 'n')?.name ?? 'none'}</p>
  }
  const live = show(<One />)
  expect(screen.getByText('none')).toBeDefined()
  act(() => live.put({ nodes: { n: aNode({ name: 'pve9' }) } }))
  expect(screen.getByText('pve9')).toBeDefined()
})

test('a selector runs for its kinds and renders only when the result differs', () => {
  const { counts, drawn } = drawCounter()
  const select = vi.fn<() => void>()
  function Count() {
    drawn('count')
    const running = useLive(['guests'], (s) => {
      select()
      return [...s.records('guests').values()].filter((g) => g.status === 'running').length
    })
    return <p>{running}</p>
  }
  const live = show(<Count />)
  select.mockClear()
  act(() => live.put({ nodes: { n: aNode() } }))
  expect(select).not.toHaveBeenCalled()
  act(() => live.put({ guests: { 'c:1': aGuest({ vmid: 1, cpu: 0.9 }) } }))
  expect(select).toHaveBeenCalled()
  expect(counts.get('count')).toBe(1)
  act(() => live.put({ guests: { 'c:1': aGuest({ vmid: 1, status: 'stopped' }) } }))
  expect(counts.get('count')).toBe(2)
  expect(screen.getByText('1')).toBeDefined()
})

test('an equal list keeps its identity, even when the selector itself is new', () => {
  const seen: (readonly string[])[] = []
  function Names({ suffix }: { suffix: string }) {
    const names = useLive(['guests'], (s) => [...s.records('guests').values()].map((g) => g.name), sameList)
    seen.push(names)
    return <p>{names.join() + suffix}</p>
  }
  const live = aLive({ guests })
  const view = render(<Names suffix="a" />, {
    wrapper: ({ children }) => <LiveProvider live={live}>{children}</LiveProvider>,
  })
  view.rerender(<Names suffix="b" />)
  act(() => live.put({ guests: { 'c:1': aGuest({ vmid: 1, name: 'one', cpu: 1 }) } }))
  expect(new Set(seen).size).toBe(1)
})

test('a new selector is used at once', () => {
  const live = aLive({ guests })
  function Find({ name }: { name: string }) {
    return (
      <p>
        {useLive(['guests'], (s) => [...s.records('guests').values()].some((g) => g.name === name))
          ? 'yes'
          : 'no'}
      </p>
    )
  }
  const view = render(<Find name="one" />, {
    wrapper: ({ children }) => <LiveProvider live={live}>{children}</LiveProvider>,
  })
  expect(screen.getByText('yes')).toBeDefined()
  view.rerender(<Find name="nobody" />)
  expect(screen.getByText('no')).toBeDefined()
})

test('useConnection returns the whole connection or the selected part', () => {
  const { counts, drawn } = drawCounter()
  function Status() {
    drawn('status')
    return <p>{useConnection((connection) => connection.status)}</p>
  }
  function Whole() {
    const { status, lastUpdate, reconnectNow } = useConnection()
    return <button onClick={reconnectNow}>{`${status} ${lastUpdate}`}</button>
  }
  const live = aLive()
  const reconnectNow = vi.fn<() => void>()
  show(
    <>
      <Status />
      <Whole />
    </>,
    { ...live, reconnectNow },
  )
  act(() => live.connection.set({ lastUpdate: 5_000 }))
  expect(screen.getByText('connected 5000')).toBeDefined()
  expect(counts.get('status')).toBe(1)
  act(() => live.connection.set({ status: 'reconnecting' }))
  expect(counts.get('status')).toBe(2)
  screen.getByRole('button').click()
  expect(reconnectNow).toHaveBeenCalledTimes(1)
})

test('an event reaches the latest handler, and none after unmounting', () => {
  const heard: string[] = []
  function Listener({ prefix }: { prefix: string }) {
    useLiveEvent('node_deleted', ({ data }) => heard.push(`${prefix} ${data.nodeType}`))
    return null
  }
  const live = aLive()
  const view = render(<Listener prefix="a" />, {
    wrapper: ({ children }) => <LiveProvider live={live}>{children}</LiveProvider>,
  })
  live.events.emit({ type: 'node_deleted', data: { nodeType: 'pve' } })
  view.rerender(<Listener prefix="b" />)
  live.events.emit({ type: 'node_deleted', data: { nodeType: 'pbs' } })
  live.events.emit({ type: 'nodes_changed', data: {} })
  view.unmount()
  live.events.emit({ type: 'node_deleted', data: { nodeType: 'pmg' } })
  expect(heard).toEqual(['a pve', 'b pbs'])
})

test('without a provider the hooks throw', () => {
  function Bare() {
    return <p>{useIds('guests').length}</p>
  }
  vi.spyOn(console, 'error').mockImplementation(() => {})
  expect(() => render(<Bare />)).toThrow('LiveProvider is missing')
  vi.restoreAllMocks()
})
