import { expect, test, vi } from 'vitest'
import { createMemoryHistory } from './fake-history.ts'
import { createHistory, type Guard } from './history.ts'

/** Blocks leaving /a. */
function setup(initialEntries = ['/a']) {
  const history = createMemoryHistory({ initialEntries })
  const events: string[] = []
  history.subscribe((how) => void events.push(`${how} ${history.location().path}`))
  let proceed = () => {}
  const targets: string[] = []
  const guard: Guard = {
    blocks: (to) => {
      targets.push(to.path)
      return !to.path.startsWith('/a')
    },
    ask: (next) => (proceed = next),
  }
  return { history, events, targets, guard, proceed: () => proceed() }
}

test('a location is the same object until the address changes', () => {
  const { history } = setup(['/a?tab=x#y'])
  expect(history.location()).toEqual({ path: '/a', search: '?tab=x', hash: '#y' })
  expect(history.location()).toBe(history.location())
  history.push('/b')
  expect(history.location()).toEqual({ path: '/b', search: '', hash: '' })
})

test('a link to the open page adds no entry', () => {
  const { history, events } = setup()
  history.push('/b')
  history.push('/b')
  history.go(-1)
  expect(events).toEqual(['push /b', 'replace /b', 'pop /a'])
})

test('a guard blocks leaving the page, not staying on it', () => {
  const { history, events, guard, proceed } = setup()
  const removeGuard = history.guard(guard)
  history.push('/a/1')
  history.push('/b')
  expect(history.location().path).toBe('/a/1')
  proceed()
  expect(events).toEqual(['push /a/1', 'push /b'])
  removeGuard()
  history.push('/c')
  expect(history.location().path).toBe('/c')
})

test('Back is blocked too, and continues after the user agrees', () => {
  const { history, events, guard, proceed } = setup(['/b', '/a'])
  history.guard(guard)
  history.go(-1)
  expect([history.location().path, events]).toEqual(['/a', []])
  proceed()
  expect([history.location().path, events]).toEqual(['/b', ['pop /b']])
  history.go(1)
  expect(history.location().path).toBe('/a')
})

test('of two guards each asks for itself', () => {
  const { history, guard } = setup()
  const questions: (() => void)[] = []
  history.guard(guard)
  history.guard({ blocks: () => true, ask: (proceed) => void questions.push(proceed) })
  const first = vi.spyOn(guard, 'ask')
  history.push('/b')
  expect([first.mock.calls.length, questions.length]).toEqual([1, 0])
  first.mock.calls[0]![0]()
  expect([history.location().path, questions.length]).toEqual(['/a', 1])
  questions[0]!()
  expect(history.location().path).toBe('/b')
})

test('hash links add an entry, except one to the open address', () => {
  const entries: { href: string; at?: number }[] = [{ href: '/b' }, { href: '/a' }]
  let open = 1
  let pop = () => {}
  const went: number[] = []
  const history = createHistory({
    href: () => entries[open]!.href,
    at: () => entries[open]!.at,
    put: (href, at) => void (entries[open] = { href, at }),
    go: (by) => void went.push(by),
    onPop: (listener) => (pop = listener),
  })
  entries[0]!.at = -1
  const follow = (href: string, isNew: boolean) => {
    if (isNew) open = entries.push({ href }) - 1
    else entries[open] = { href }
    pop()
  }
  follow('/a#top', true)
  follow('/a#top', false)
  expect(entries.map(({ at }) => at)).toEqual([-1, 0, 1])
  history.guard({ blocks: ({ path }) => path !== '/a', ask: () => {} })
  open = 0
  pop()
  expect(went, 'back to the blocked page').toEqual([2])
})
