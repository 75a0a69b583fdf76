import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseTemplate } from './parse.ts'
import { renderTemplate } from './render.ts'
import { TemplateError } from './template-error.ts'
import type { Value } from './values.ts'
import { type Target, writers } from './writers.ts'

/** 2,000; 10,000 and more in the long run. */
const RUNS = 2_000 * Number(process.env['PULSE_TEST_SCALE'] ?? 1)

const snippets = [
  '{{.ResourceName}}',
  '{{.Message | printf "%s"}}',
  '{{.Metadata}}',
  '{{.Metadata.constructor}}',
  '{{index .Metadata "__proto__"}}',
  '{{index .Metadata "constructor" "prototype"}}',
  '{{(index .Alerts 0).ResourceName}}',
  '{{.constructor}}',
  '{{.Level.constructor.constructor "return process"}}',
  '{{printf "%v %q %99.99f %d" .Metadata .Message .Value .Value}}',
  '{{range .Alerts}}{{.Message}}{{end}}',
  '{{if and .Metadata (not .Level)}}a{{else}}b{{end}}',
  '{{upper (urlquery .Message)}}',
  '{{len .Metadata.toString}}',
  '{{process.env.PATH}}',
  '{{require "fs"}}',
  '{{ . }}',
  '${process.env.HOME}',
  '{% include "/etc/passwd" %}',
  '<%= 7*7 %>',
  '#{7*7}',
  '{{7*7}}',
  '{{"}}"}}',
  '{{- .Value -}}',
  '{{/*',
  '{{end}}',
  '"',
  '\\',
  '\\u12',
  '{"a":',
  '"b"',
  ',',
  ':',
  '[',
  ']',
  '}',
  '}}',
  '{{',
  '\n',
  'https://a.test/',
  '?x=',
  '-',
  '1',
  'true',
  '\u2028',
  '\ud800',
  '\0',
]
const template = fc.oneof(
  fc.array(fc.constantFrom(...snippets), { maxLength: 12 }).map((parts) => parts.join('')),
  fc
    .array(fc.constantFrom(...snippets.slice(0, 12)), { maxLength: 6 })
    .map((parts) => `{"text": "${parts.join(' ')}"}`),
  fc
    .array(fc.constantFrom(...snippets.slice(0, 12)), { maxLength: 6 })
    .map((parts) => `[${[...parts, '0'].join(',')}]`),
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.string({ maxLength: 40 }).map((text) => `{{${text}}}`),
)
const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.constantFrom(
    '"},{"x":"',
    '\\',
    '\\"',
    '</script><script>',
    '{{.Level}}',
    "'; DROP TABLE",
    '\r\nX: y',
    '\ud800',
    '\u0000',
    '..',
    '-',
    '1e999',
    '__proto__',
  ),
)
const alert = fc.record({
  ID: text,
  Level: fc.oneof(text, fc.constant('critical')),
  ResourceName: text,
  Message: text,
  Value: fc.double(),
  Threshold: fc.double(),
  Metadata: fc.oneof(
    fc.dictionary(text, fc.jsonValue() as fc.Arbitrary<Value>),
    fc.constant(JSON.parse('{"__proto__":{"polluted":1},"constructor":"x","toString":"y"}') as Value),
  ),
})
const data = fc
  .record({ alert, others: fc.array(alert, { maxLength: 4 }) })
  .map(({ alert, others }): Value => ({
    ...alert,
    AlertCount: others.length + 1,
    Alerts: [alert, ...others],
  }))

/** Internals of this process that must never appear. */
const inside = /native code|function |\[object|node:internal|process\.|NODE_/
const given = JSON.stringify(Object.getOwnPropertyNames(Object.prototype))

test(`[S10] ${RUNS} hostile templates and values: refused with a line, or text`, () => {
  let refused = 0
  let rendered = 0
  fc.assert(
    fc.property(
      template,
      data,
      fc.constantFrom(...(Object.keys(writers) as Target[])),
      (source, values, target) => {
        let out: string
        try {
          out = renderTemplate(parseTemplate(source), values, target)
        } catch (error) {
          if (!(error instanceof TemplateError)) throw error
          expect(error.message).toMatch(/^Line \d+: ./)
          refused++
          return
        }
        rendered++
        expect(out.length).toBeLessThanOrEqual(64 * 1024)
        if (target === 'json') JSON.parse(out)
        if (target === 'url' && out.startsWith('https://a.test/')) expect(new URL(out).host).toBe('a.test')
        const foreign = JSON.stringify([source, values])
        const shown = inside.exec(out)?.[0]
        if (shown) expect(foreign).toContain(shown) // so it came from the input
      },
    ),
    { numRuns: RUNS },
  )
  expect(refused).toBeGreaterThan(RUNS / 10)
  expect(rendered).toBeGreaterThan(RUNS / 10)
  expect(JSON.stringify(Object.getOwnPropertyNames(Object.prototype))).toBe(given)
  expect(({} as Record<string, unknown>)['polluted']).toBeUndefined()
})

test('[S10] a value in JSON is the text it was, whatever it holds', () => {
  fc.assert(
    fc.property(text, (value) => {
      const out = renderTemplate(
        parseTemplate('{"a": "<{{.Message}}>", "b": {{.Message}}}'),
        { Message: value },
        'json',
      )
      const whole = value.toWellFormed()
      expect(JSON.parse(out)).toEqual({ a: `<${whole}>`, b: whole })
    }),
    { numRuns: RUNS },
  )
})

test('[S10] a value in HTML brings no markup', () => {
  fc.assert(
    fc.property(text, (value) => {
      const out = renderTemplate(parseTemplate('{{.Message}}'), { Message: value }, 'html')
      expect(out).not.toMatch(/[<>"'`=]/)
    }),
    { numRuns: RUNS },
  )
})
