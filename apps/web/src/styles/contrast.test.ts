import { readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'

const css = readFileSync(path.join(import.meta.dirname, 'tokens.css'), 'utf8')

function tokens(selector: string): Map<string, string> {
  const block = new RegExp(`^${selector} \\{([^}]*)\\}`, 'm').exec(css)![1]!
  return new Map(
    [...block.matchAll(/--([\w-]+): (#[0-9a-f]{6});/g)].map(([, name, value]) => [name!, value!]),
  )
}

const light = tokens(':root')
const themes = { light, dark: new Map([...light, ...tokens('\\.dark')]) }

function luminance(color: string): number {
  const [r, g, b] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(color.slice(at, at + 2), 16) / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * r! + 0.7152 * g! + 0.0722 * b!
}

function contrast(a: string, b: string): number {
  const [low, high] = [luminance(a), luminance(b)].toSorted((x, y) => x - y)
  return (high! + 0.05) / (low! + 0.05)
}

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

  test.each(backgrounds)('the border of a control on %s', (background) => {
    expect(contrast(color('control'), color(background))).toBeGreaterThanOrEqual(3)
  })

  test('white text on the accent', () => {
    expect(contrast('#ffffff', color('accent-fill'))).toBeGreaterThanOrEqual(4.5)
  })
})
