import { expect, test } from 'vitest'
import { maxTagDots, tagColor, tagList } from './tags.ts'

test('[spec 1 §5] a colour belongs to the lower-cased tag', () => {
  expect(tagColor('Web')).toBe(tagColor('web'))
  expect(tagColor('web')).not.toBe(tagColor('db'))
})

test('[spec 1 §5] four tags have fixed colours of their own', () => {
  const fixed = ['production', 'staging', 'development', 'backup'].map(tagColor)
  expect(new Set(fixed).size).toBe(4)
  expect(fixed[0]).toBe('oklch(0.63 0.08 4)')
  expect(tagColor('PRODUCTION')).toBe(fixed[0])
})

test('names of object members are tags like others', () => {
  expect(tagColor('constructor')).toMatch(/^oklch\(/)
})

test('[spec 1 §3] a comma-separated text becomes a trimmed list without empties', () => {
  expect(tagList(' a, b ,,c,')).toEqual(['a', 'b', 'c'])
  expect(tagList('')).toEqual([])
  expect(tagList(undefined)).toEqual([])
})

test('[spec 1 §5] at most three dots show', () => {
  expect(maxTagDots).toBe(3)
})
