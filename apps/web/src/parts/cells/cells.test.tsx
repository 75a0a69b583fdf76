// @vitest-environment happy-dom
import { cleanup, render } from '@testing-library/react'
import { afterEach, describe, expect, test } from 'vitest'
import {
  Fragment,
  type FunctionComponent,
  type MemoExoticComponent,
  type ReactElement,
  type ReactNode,
} from 'react'
import { drawRateCell, drawUsageCell, Uptime } from './cells.tsx'
import { StaleBadge } from './outage.tsx'
import { TagDots } from '../../features/overview/guest-name.tsx'

afterEach(cleanup)

const MB = 1024 ** 2
const show = (element: React.ReactElement) => render(element).container

describe('usage', () => {
  test.each([
    ['cpu', 79.9, 'bar'],
    ['cpu', 80, 'yellow'],
    ['cpu', 90, 'red'],
    ['memory', 74.9, 'bar'],
    ['memory', 75, 'yellow'],
    ['memory', 85, 'red'],
    ['disk', 79.9, 'bar'],
    ['disk', 80, 'yellow'],
    ['disk', 90, 'red'],
  ] as const)('[spec 1 §9] %s at %s is %s', (scale, percent, tone) => {
    const cell = show(drawUsageCell({ percent, scale }))
    expect(cell.querySelector<HTMLElement>('.usage-bar')!.style.getPropertyValue('--fill')).toContain(tone)
    expect(cell.textContent).toBe(`${percent.toFixed(1)}%`)
  })

  test('[spec 1 §5] beyond 0-100 is clamped, unknown is a dash without a bar', () => {
    expect(show(drawUsageCell({ percent: 130, scale: 'cpu' })).textContent).toBe('100.0%')
    const unknown = show(drawUsageCell({ percent: undefined, scale: 'disk', hint: 'why' }))
    expect(unknown.textContent).toBe('—')
    expect(unknown.querySelector('.usage-bar')).toBeNull()
    expect(unknown.querySelector('[data-tip]')!.getAttribute('data-tip')).toBe('why')
  })

  test('no colour vouches for stale figures', () => {
    const cell = show(drawUsageCell({ percent: 99, scale: 'cpu', stale: true }))
    expect(cell.querySelector<HTMLElement>('.usage-bar')!.style.getPropertyValue('--fill')).toContain('bar')
  })
})

test.each([
  [0, 'text-ink-3', '0 B/s'],
  [MB - 1, 'text-ink-3', '1 MB/s'],
  [MB, 'text-green', '1 MB/s'],
  [10 * MB, 'text-yellow', '10 MB/s'],
  [50 * MB, 'text-red', '50 MB/s'],
  [undefined, 'text-ink-3', '—'],
])('[spec 1 §9] a rate of %s is %s', (rate, color, text) => {
  const cell = show(drawRateCell(rate))
  expect(cell.querySelector('span')!.className).toBe(color)
  expect(cell.textContent).toBe(text)
})

test.each([
  { minutes: 59, orange: true, text: '59m' },
  { minutes: 61, orange: false, text: '1h 1m' },
  { minutes: 60 * 24 * 3 + 60 * 4, orange: false, text: '3d 4h' },
])('[spec 1 §9] an uptime of $text is orange: $orange', ({ minutes, orange, text }) => {
  const cell = show(<Uptime startedAt={Date.now() - minutes * 60_000 - 500} />)
  expect(cell.textContent).toBe(text)
  expect(cell.querySelector('.text-orange') !== null).toBe(orange)
})

test('without a start there is no uptime', () => {
  expect(show(<Uptime startedAt={undefined} />).textContent).toBe('—')
})

test('stale figures show their age', () => {
  expect(show(<StaleBadge since={Date.now() - 3 * 60_000 - 500} />).textContent).toBe('Stale 3m')
})

describe('tags', () => {
  const dots = (tags: string | undefined) => [
    ...show(<TagDots tags={tags} />).querySelectorAll<HTMLElement>('[data-tag]'),
  ]

  test('[spec 1 §5] at most three dots, and how many more there are', () => {
    const tags = show(<TagDots tags="a, b ,,c,d,e" />)
    expect(tags.querySelectorAll('[data-tag]')).toHaveLength(3)
    expect(tags.textContent).toBe('Tags: a, b, c, d, e+2')
  })

  test('[spec 1 §5] the colour does not depend on case', () => {
    const [upper] = dots('WEB')
    const [lower] = dots('web')
    expect(upper!.style.background).toBe(lower!.style.background)
    expect(upper!.dataset['tip']).toBe('WEB')
  })

  test('no tags, nothing', () => {
    expect(show(<TagDots tags={undefined} />).textContent).toBe('')
    expect(show(<TagDots tags=" , " />).textContent).toBe('')
  })
})

describe('a figure of a row', () => {
  test.each([
    ['usage', drawUsageCell({ percent: 12.3, scale: 'cpu' })],
    ['usage that is estimated', drawUsageCell({ percent: 12.3, scale: 'memory', estimate: true })],
    ['usage that is unknown', drawUsageCell({ percent: undefined, scale: 'disk' })],
    ['rate', drawRateCell(MB)],
  ])('is one component, what it draws are elements: %s', (_name, cell) => {
    const { type } = cell.type as MemoExoticComponent<FunctionComponent>
    expect(components((type as FunctionComponent)(cell.props as object) as ReactNode)).toEqual([])
  })

  test('stays the same element whatever the length of its text', () => {
    const { container, rerender } = render(drawUsageCell({ percent: 9.9, scale: 'cpu' }))
    const figure = container.querySelector('span')
    rerender(drawUsageCell({ percent: 10, scale: 'cpu' }))
    expect(container.querySelector('span')).toBe(figure)
    rerender(drawRateCell(900))
    const rate = container.querySelector('span')
    rerender(drawRateCell(90 * MB))
    expect(container.querySelector('span')).toBe(rate)
  })
})

/** The components among the elements. */
function components(node: ReactNode): unknown[] {
  if (Array.isArray(node)) return node.flatMap(components)
  if (typeof node !== 'object' || node === null) return []
  const { type, props } = node as ReactElement<{ children?: ReactNode }>
  const isElement = typeof type === 'string' || type === Fragment
  return [...(isElement ? [] : [type]), ...components(props.children)]
}
