// @vitest-environment happy-dom
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { unsavedWork } from '../missing-code.ts'
import { lazyPart, retryMissingCode } from './lazy-part.tsx'

const gone = new TypeError('Failed to fetch dynamically imported module: http://pulse/assets/part.js')
let isServerThere = true
let isFileThere = false
let loads = 0
/** The result of the next load. */
let outcome: () => Promise<{ default: () => React.ReactNode }>

const comes = async () => ({ default: () => <p>the part</p> })
const fails = (error: Error) => async () => {
  throw error
}
const reloads = () => vi.mocked(window.location.reload).mock.calls.length
const shown = () => document.body.textContent

const aPart = () =>
  lazyPart('Part', () => {
    loads += 1
    return outcome()
  })

async function show(Part = aPart()) {
  await act(async () => void render(<Part />))
  return Part
}

beforeEach(() => {
  isServerThere = true
  isFileThere = false
  loads = 0
  sessionStorage.clear()
  vi.useFakeTimers()
  vi.stubGlobal('fetch', async (url: string) => {
    if (!isServerThere) throw new TypeError('Failed to fetch')
    return new Response('{}', { status: url.endsWith('part.js') && !isFileThere ? 404 : 200 })
  })
  vi.spyOn(window.location, 'reload').mockImplementation(() => {})
  vi.spyOn(console, 'error').mockImplementation(() => {})
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
  vi.useRealTimers()
  vi.restoreAllMocks()
})

test('a part loads once and then renders at once', async () => {
  outcome = comes
  const Part = await show()
  cleanup()
  render(<Part />)
  expect([shown(), loads]).toEqual(['the part', 1])
})

test('preloaded code draws with the first render', async () => {
  outcome = comes
  const Part = aPart()
  await Part.preload()
  render(<Part />)
  expect([shown(), loads]).toEqual(['the part', 1])
})

test('a failed preload reports nothing and reloads nothing; rendering the part loads it again', async () => {
  outcome = fails(gone)
  const Part = aPart()
  await Part.preload()
  outcome = comes
  await show(Part)
  expect([shown(), loads, reloads()]).toEqual(['the part', 2, 0])
})

describe('without a server', () => {
  beforeEach(() => {
    isServerThere = false
    outcome = fails(gone)
  })

  test('the failure replaces the part and shows the reason, without a reload', async () => {
    const Part = aPart()
    await act(
      async () =>
        void render(
          <>
            <p>an edit</p>
            <Part />
          </>,
        ),
    )
    expect(shown()).toContain('an edit')
    expect(screen.getByRole('alert').textContent).toContain('Error in PartPulse does not answer')
    expect(reloads()).toBe(0)
  })

  test.each([
    { how: 'Retry', again: () => fireEvent.click(screen.getByRole('button', { name: 'Retry' })) },
    { how: 'the return of the server', again: () => retryMissingCode() },
  ])('$how fetches the code again', async ({ again }) => {
    await show()
    await act(async () => again())
    expect([screen.getByRole('alert'), loads]).toEqual([expect.anything(), 2])
    isServerThere = true
    outcome = comes
    await act(async () => again())
    expect([shown(), loads]).toEqual(['the part', 3])
  })

  test('a part that is mounted again loads again', async () => {
    const Part = await show()
    cleanup()
    outcome = comes
    await show(Part)
    expect([shown(), loads]).toEqual(['the part', 2])
  })
})

describe('after an update of the server', () => {
  beforeEach(() => {
    outcome = fails(gone)
  })

  test('the page reloads once', async () => {
    await show()
    expect(reloads()).toBe(1)
    cleanup()
    await show()
    expect([reloads(), screen.getByRole('alert').textContent]).toEqual([
      1,
      expect.stringContaining('Failed to fetch dynamically imported module'),
    ])
  })

  test('not while edits are unsaved: the user reloads, and the browser asks', async () => {
    const saved = unsavedWork.add()
    await show()
    expect([reloads(), shown()]).toEqual([0, 'Pulse was updated. Reload the page to continue.Reload Page'])
    fireEvent.click(screen.getByRole('button', { name: 'Reload Page' }))
    expect(reloads()).toBe(1)
    saved()
    cleanup()
    await show()
    expect(reloads()).toBe(2)
  })
})

test('a browser that does not load again what has failed: with unsaved edits the page says so, and does not speak of an update', async () => {
  outcome = fails(gone)
  isFileThere = true
  const saved = unsavedWork.add()
  await show()
  expect([reloads(), shown()]).toEqual([
    0,
    'Your browser does not load this part again. Reload the page to continue.Reload Page',
  ])
  saved()
})

test('an error of the part itself is neither explained nor reloaded for', async () => {
  outcome = fails(new Error('no such figure'))
  await show()
  expect([screen.getByRole('alert').textContent, reloads()]).toEqual([
    expect.stringContaining('no such figure'),
    0,
  ])
})

test('a failed style sheet loads again with the code; a loading one does not', async () => {
  const sheet = (href: string) => {
    const link = Object.assign(document.createElement('link'), { rel: 'stylesheet', href })
    document.head.append(link)
    return link
  }
  const [broken, coming] = [sheet('/part.css'), sheet('/other.css')]
  const found = (href: string) => document.head.querySelector(`link[href="${href}"]`)
  isServerThere = false
  outcome = fails(new Error(`Unable to preload CSS for ${broken.href}`))
  await show()
  expect(found('/part.css')).toBe(broken)
  outcome = comes
  await act(async () => void fireEvent.click(screen.getByRole('button', { name: 'Retry' })))
  expect([found('/part.css') === broken, found('/part.css')]).toEqual([false, expect.anything()])
  expect(found('/other.css')).toBe(coming)
  document.head.replaceChildren()
})
