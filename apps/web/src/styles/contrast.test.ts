import { describe, expect, test } from 'vitest'
import { tagColor } from '../lib/tags.ts'
import { contrast, hueDistance, parseOklch, themes, toHex, toOklch } from './fixtures-contrast.ts'

const backgrounds = ['page', 'surface', 'raised', 'sunken', 'hover']
const texts = ['ink', 'ink-2', 'ink-3', 'accent', 'green', 'yellow', 'orange', 'red']
const states = ['green', 'yellow', 'orange', 'red']

describe.each(Object.entries(themes))('[design 10] the %s theme meets WCAG AA', (_, theme) => {
  const color = (name: string) => theme.get(name)!

  test.each(texts.flatMap((text) => backgrounds.map((background) => [text, background] as const)))(
    'text %s on %s',
    (text, background) => {
      expect(contrast(color(text), color(background))).toBeGreaterThanOrEqual(4.5)
    },
  )

  test.each([...states, 'accent'])('text %s on its soft ground', (state) => {
    expect(contrast(color(state), color(`${state}-soft`))).toBeGreaterThanOrEqual(4.5)
  })

  test.each(['ink-2', 'ink'])('text %s on the soft red of an error', (text) => {
    expect(contrast(color(text), color('red-soft'))).toBeGreaterThanOrEqual(4.5)
  })

  test.each(states)('shape %s-fill on the surface', (state) => {
    expect(contrast(color(`${state}-fill`), color('surface'))).toBeGreaterThanOrEqual(3)
  })

  test('a bar at rest on the surface', () => {
    expect(contrast(color('bar'), color('surface'))).toBeGreaterThanOrEqual(3)
  })

  test.each(['ink-3', 'ink-2', 'ink', 'red'])(
    'text %s on a row that is lost, under the pointer too',
    (text) => {
      for (const ground of ['down', 'down-hover']) {
        expect(contrast(color(text), color(ground))).toBeGreaterThanOrEqual(4.5)
      }
    },
  )

  test.each(backgrounds)('the border of a control on %s', (background) => {
    expect(contrast(color('control'), color(background))).toBeGreaterThanOrEqual(3)
  })

  test('white text on the accent', () => {
    expect(contrast('#ffffff', color('accent-fill'))).toBeGreaterThanOrEqual(4.5)
  })
})

describe.each(Object.entries(themes))('[design 10] in the %s theme colour means state', (_, theme) => {
  const loud = [...states, ...states.map((state) => `${state}-fill`)].map((name) => toOklch(theme.get(name)!))
  const words = Array.from({ length: 400 }, (_, index) => `tag-${index}`)
  const tags = ['production', 'staging', 'development', 'backup', ...words].map(tagColor)

  test('a tag dot is paler than every state, and never of a hue of theirs', () => {
    for (const dot of tags.map(parseOklch)) {
      for (const state of loud) {
        expect(dot.chroma).toBeLessThan(state.chroma)
        expect(hueDistance(dot.hue, state.hue)).toBeGreaterThanOrEqual(8)
      }
    }
  })

  test('a tag dot is seen on the surface and on a row under the pointer', () => {
    for (const dot of tags.map(parseOklch)) {
      for (const ground of ['surface', 'hover']) {
        expect(contrast(toHex(dot), theme.get(ground)!)).toBeGreaterThanOrEqual(3)
      }
    }
  })

  test('a bar at rest has next to no colour', () => {
    expect(toOklch(theme.get('bar')!).chroma).toBeLessThan(0.05)
  })
})
