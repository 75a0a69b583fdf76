import { expect, test, vi } from 'vitest'
import { createMemoryHistory } from './fake-history.ts'
import { createHistory, type Guard } from './history.ts'

/** Blocks leaving /a. */
function held(initialEntries = ['/a']) {
  const history = createMemoryHistory({ initialEntries })
  const heard: string[] = []
  history.subscribe((how) => void heard.push(`${how} ${history.location().path}`))
  let goOn = () => {}
  const asked: string[] = []
  const guard: Guard = {
    blocks: (to) => {
      asked.push(to.path)
      return !to.path.startsWith('/a')
    },
    ask: (proceed) => (goOn = proceed),
  }
  return { history, heard, asked, guard, goOn: () => goOn() }
}

test('a place is the same object until the address changes', () => {
  const { history } = held(['/a?tab=x#y'])
  expect(history.location()).toEqual({ path: '/a', search: '?tab=x', hash: '#y' })
  expect(history.location()).toBe(history.location())
  history.push('/b')
  expect(history.location()).toEqual({ path: '/b', search: '', hash: '' })
})

test('who goes where they are comes back from there with one step', () => {
  const { history, heard } = held()
  history.push('/b')
  history.push('/b')
  history.go(-1)
  expect(heard).toEqual(['push /b', 'replace /b', 'pop /a'])
})

test('a guard blocks leaving the page, not staying on it', () => {
  const { history, heard, guard, goOn } = held()
  const letGo = history.guard(guard)
  history.push('/a/1')
  history.push('/b')
  expect(history.location().path).toBe('/a/1')
  goOn()
  expect(heard).toEqual(['push /a/1', 'push /b'])
  letGo()
  history.push('/c')
  expect(history.location().path).toBe('/c')
})

test('the button of the browser is held back too, and leads on afterwards', () => {
  const { history, heard, guard, goOn } = held(['/b', '/a'])
  history.guard(guard)
  history.go(-1)
  expect([history.location().path, heard]).toEqual(['/a', []])
  goOn()
  expect([history.location().path, heard]).toEqual(['/b', ['pop /b']])
  history.go(1)
  expect(history.location().path).toBe('/a')
})

test('of two guards each asks for itself', () => {
  const { history, guard } = held()
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

test('links into the document count as steps, and one to where it stands already as none', () => {
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
  expect(went, 'back to where it was held').toEqual([2])
})
