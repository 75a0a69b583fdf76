// @vitest-environment happy-dom
import { cleanup, render } from '@testing-library/react'
import { useRef } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createExpansion, type Expansion, useRevealed } from './expansion.ts'

let grow: (() => void) | undefined

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'requestAnimationFrame'] })
  vi.stubGlobal(
    'ResizeObserver',
    class {
      constructor(notify: () => void) {
        grow = notify
      }
      observe() {}
      disconnect() {
        grow = undefined
      }
    },
  )
})
afterEach(() => {
  cleanup()
  vi.useRealTimers()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

function Table({ expansion, isLoading }: { expansion: Expansion; isLoading: boolean }) {
  const table = useRef<HTMLDivElement>(null)
  useRevealed(expansion, table)
  return (
    <div ref={table}>
      <div data-row="details:101">{isLoading && <figure aria-busy />}</div>
    </div>
  )
}

test('details are kept in view while anything in them loads, however long, and for ten seconds after that', () => {
  const expansion = createExpansion()
  const show = (isLoading: boolean) => <Table expansion={expansion} isLoading={isLoading} />
  const { rerender } = render(show(true))
  const revealed = vi.spyOn(Element.prototype, 'scrollIntoView').mockReturnValue(undefined)
  expansion.toggle('101')
  vi.advanceTimersByTime(60_000)
  grow!()
  expect(revealed).toHaveBeenCalledTimes(1)
  rerender(show(false))
  vi.advanceTimersByTime(10_000)
  expect(grow).toBeUndefined()
})
