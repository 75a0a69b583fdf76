// @vitest-environment happy-dom
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { plainText, tip, Tooltip } from './tooltip.tsx'
import { TooltipBubble, TooltipLayer } from './tooltip-layer.tsx'

beforeAll(() => TooltipBubble.preload())
beforeEach(() => void vi.useFakeTimers())
afterEach(() => {
  cleanup()
  vi.useRealTimers()
})

test.each([
  ['plain', 'plain'],
  ['<b>bold</b> &amp; <i class="x">more</i>', 'bold &amp; more'],
  ['one<br>two<br/>three', 'one\ntwo\nthree'],
  ['a<script>alert(1)</script>b', 'ab'],
  ['a<style>p{}</style >b', 'ab'],
  ['<img src=x onerror=alert(1)>text', 'text'],
  ['<img src=x onerror=alert(1)', ''],
  ['cpu < 5 and > 3', 'cpu < 5 and > 3'],
  ['<scr<b>ipt>alert(1)', 'ipt>alert(1)'],
])('[spec 1 §2] markup is stripped from %j', (markup, text) => {
  expect(plainText(markup)).toBe(text)
})

function show(content: string | undefined, maxWidth?: number) {
  render(
    <>
      <Tooltip content={content} {...(maxWidth !== undefined && { maxWidth })}>
        <button type="button">target</button>
      </Tooltip>
      <TooltipLayer />
    </>,
  )
  return screen.getByRole('button')
}

const wait = (ms: number) => act(() => void vi.advanceTimersByTime(ms))
const bubble = () => screen.queryByRole('tooltip')

test('[spec 1 §2] the rest is shown as text, never as markup', () => {
  const target = show('<b>5</b> < 6 <img src=x onerror=alert(1)>')
  fireEvent.pointerOver(target)
  wait(300)
  expect(bubble()!.textContent).toBe('5 < 6')
  expect(bubble()!.querySelector('b, img')).toBeNull()
})

test.each([
  { maxWidth: undefined, shown: '240px' },
  { maxWidth: 260, shown: '260px' },
])('[spec 1 §9] at most $shown wide', ({ maxWidth, shown }) => {
  fireEvent.pointerOver(show('text', maxWidth))
  wait(300)
  expect(bubble()!.style.maxWidth).toBe(shown)
})

test('hover opens after a delay; leaving closes; the bubble can be hovered', () => {
  const target = show('text')
  fireEvent.pointerOver(target)
  wait(200)
  expect(bubble()).toBeNull()
  wait(100)
  expect(bubble()).not.toBeNull()
  fireEvent.pointerOver(bubble()!)
  wait(500)
  expect(bubble()).not.toBeNull()
  fireEvent.pointerOver(document.body)
  wait(150)
  expect(bubble()).toBeNull()
})

test('keyboard focus opens at once and describes the target; Escape closes', () => {
  const target = show('text')
  vi.spyOn(target, 'matches').mockImplementation((selector) => selector === ':focus-visible')
  fireEvent.focusIn(target)
  wait(0)
  expect(target.getAttribute('aria-describedby')).toBe(bubble()!.id)
  fireEvent.keyDown(target, { key: 'Escape' })
  expect(bubble()).toBeNull()
  expect(target.hasAttribute('aria-describedby')).toBe(false)
})

test('Escape closes the tooltip only: the page and open dialogs do not handle it', () => {
  const others: string[] = []
  const stop = new AbortController()
  const target = show('text')
  document.addEventListener('keydown', () => others.push('page'), { signal: stop.signal })
  document.addEventListener('keydown', () => others.push('open'), { signal: stop.signal, capture: true })
  fireEvent.pointerOver(target)
  wait(300)
  fireEvent.keyDown(target, { key: 'Escape' })
  expect(bubble()).toBeNull()
  expect(others).toEqual([])
  fireEvent.keyDown(target, { key: 'Escape' })
  expect(others).toEqual(['open', 'page'])
  stop.abort()
})

test('pressing and scrolling close', () => {
  const target = show('text')
  for (const close of [() => fireEvent.pointerDown(target), () => fireEvent.scroll(document)]) {
    fireEvent.pointerOver(target)
    wait(300)
    expect(bubble()).not.toBeNull()
    close()
    expect(bubble()).toBeNull()
    fireEvent.pointerOver(document.body)
    wait(200)
  }
})

test('without text there is no tooltip', () => {
  expect([tip(undefined), tip('')]).toEqual([{}, {}])
  fireEvent.pointerOver(show(undefined))
  wait(300)
  expect(bubble()).toBeNull()
})

test.each(['<script', '<script>', '<style><script>', '</script>', '<', '<a', '<br', '</style '])(
  '[S15] 100 KB of %j is read to its end',
  (piece) => expect(plainText(piece.repeat(100_000 / piece.length))).not.toContain('<script'),
)
