import { describe, expect, test } from 'vitest'
import { templateProblem } from './render.ts'
import { parseTemplate } from './parse.ts'
import { renderTemplate } from './render.ts'
import type { Value } from './values.ts'
import type { Target } from './writers.ts'

const data = {
  ID: 'vm-1-cpu',
  Level: 'critical',
  Type: 'cpu',
  ResourceName: 'web-1',
  Message: 'CPU of web-1 is at 91.5%',
  Value: 91.5,
  Threshold: 80,
  ValueFormatted: '91.5%',
  Acknowledged: false,
  AckUser: undefined,
  Metadata: { pool: 'tank', 'two words': 'x' },
  CustomFields: { channel: '#ops', routing_key: 'R' },
  AlertCount: 2,
  Alerts: [
    { ResourceName: 'web-1', Level: 'critical', Value: 91.5 },
    { ResourceName: 'db-1', Level: 'warning', Value: 82 },
  ],
} satisfies Value

const render = (source: string, target: Target = 'text', with_: Value = data) =>
  renderTemplate(parseTemplate(source), with_, target)

describe('[facts/alerts 10.3] what a template can say', () => {
  test.each([
    ['fields', '{{.Level}} {{ .Value }}', 'critical 91.5'],
    ['fields of maps', '{{.Metadata.pool}} {{.CustomFields.channel}}', 'tank #ops'],
    ['what is not there', '[{{.Metadata.nothing}}{{.AckUser}}]', '[]'],
    ['pipes', '{{.Level | upper | printf "%s!"}}', 'CRITICAL!'],
    ['a condition', '{{if eq .Level "critical"}}a{{else if eq .Level "warning"}}b{{else}}c{{end}}', 'a'],
    ['its second branch', '{{if eq .Type "disk"}}a{{else if eq .Type "cpu" "memory"}}b{{else}}c{{end}}', 'b'],
    ['its last', '{{if not .Value}}a{{else if .Acknowledged}}b{{else}}c{{end}}', 'c'],
    ['and, or', '{{if and (gt .Value 90) (or .Acknowledged (ne .Level "warning"))}}yes{{end}}', 'yes'],
    ['or gives the first true value', '{{or .AckUser "not yet"}}', 'not yet'],
    [
      'comparisons',
      '{{lt .Value 92}} {{le .Value 91.5}} {{gt .Value 91.5}} {{ge .Value 91.5}}',
      'true true false true',
    ],
    ['texts are compared too', '{{lt "a" "b"}} {{eq .Level 5}} {{lt .Level 5}}', 'true false false'],
    [
      'a range',
      '{{range .Alerts}}{{.ResourceName}}={{printf "%.1f" .Value}};{{end}}',
      'web-1=91.5;db-1=82.0;',
    ],
    ['an empty range', '{{range .Alerts}}x{{else}}none{{end}}', 'none', { Alerts: [] }],
    [
      'index',
      '{{index .CustomFields "routing_key"}} {{(index .Alerts 1).ResourceName}} {{index .Metadata "two words"}}',
      'R db-1 x',
    ],
    ['index beyond the end', '[{{index .Alerts 7}}]', '[]'],
    [
      'printf',
      '{{printf "%5.1f|%-4s|%04d|%q|%x|%t|%%" .Value "ab" 42 "c" 255 true}}',
      ' 91.5|ab  |0042|"c"|ff|true|%',
    ],
    ['printf with too little', '{{printf "%s %s" "a"}}', 'a %!s(MISSING)'],
    ['len', '{{len .Alerts}} {{len .Level}}', '2 8'],
    ['title, upper, lower', '{{title .Level}} {{upper "ab"}} {{lower "AB"}}', 'Critical AB ab'],
    [
      'escaping for URLs',
      '{{urlquery "a b/c"}} {{urlencode "a&b"}} {{urlpath "a b/c"}} {{pathescape "a?b"}}',
      'a+b%2Fc a%26b a%20b%2Fc a%3Fb',
    ],
    ['blanks are trimmed', 'a  {{- " b " -}}  c\n{{- /* a remark }} */ -}}\n d', 'a b cd'],
    ['raw texts', '{{`a"}}b`}}', 'a"}}b'],
    ['escapes', '{{"a\\n\\t\\"\\u00e4"}}', 'a\n\t"ä'],
    ['a minus that is no trim', '{{-1}}', '-1'],
  ] as [string, string, string, Value?][])('%s', (_what, source, expected, with_ = data) => {
    expect(render(source, 'text', with_)).toBe(expected)
  })
})

describe('[S10] what is escaped follows from where it stands', () => {
  const hostile = { ...data, ResourceName: 'a"b\\c\nd</p>&é', Value: 1.5 }
  test.each([
    ['"{{.ResourceName}}"', 'a"b\\c\nd</p>&é'],
    ['{{.ResourceName}}', 'a"b\\c\nd</p>&é'],
    ['{{.Value}}', 1.5],
    ['{{printf "%.2f" .Value}}', 1.5],
    ['"{{printf "%.2f" .Value}}"', '1.50'],
    ['{{.Acknowledged}}', false],
    ['{{.AckUser}}', null],
    ['{{.Metadata}}', { pool: 'tank', 'two words': 'x' }],
    ['-{{.Value}}', -1.5],
    ['{ {{.Level}}: [1, {{.Value}}] }', { critical: [1, 1.5] }],
    ['[{{range .Alerts}}{{.Value}},{{end}} 0]', [91.5, 82, 0]],
    ['"\\\\{{.Level}}"', '\\critical'],
  ])('in JSON: %s', (source, expected) => {
    expect(JSON.parse(render(source, 'json', hostile))).toEqual(expected)
  })

  test('in HTML', () => {
    const markup = { ...data, ResourceName: '<img src=x onerror="a()">' }
    expect(render('<p title="{{.ResourceName}}">', 'html', markup)).toBe(
      '<p title="&lt;img src&#61;x onerror&#61;&quot;a()&quot;&gt;">',
    )
  })

  test.each([
    ['https://a.test/{{.ResourceName}}', 'https://a.test/x%2F..%2Fy%3Fz'],
    ['https://a.test/?q={{.ResourceName}}', 'https://a.test/?q=x%2F..%2Fy%3Fz'],
    ['https://a.test/{{.ResourceName | urlpath}}', 'https://a.test/x%2F..%2Fy%3Fz'],
    ['https://a.test/{{.Type}}/b', 'https://a.test/__/b'],
  ])('in a URL, once: %s', (source, expected) => {
    expect(render(source, 'url', { ...data, ResourceName: 'x/../y?z', Type: '..' })).toBe(expected)
  })

  test.each([
    '{{.Instance}}/x',
    'https://{{.Level}}/',
    'https://a.test{{.Level}}/',
    'https:{{.Level}}//a.test/',
  ])('%s: who is called is written out', (source) =>
    expect(templateProblem(source, [data], 'url')).toMatch(/^Line 1: .*must be written out/),
  )
})

describe('[S10] a problem names its line and what is expected there', () => {
  test.each([
    ['{\n"a": {{if .Level}}1', 'Line 2: {{if …}} is not closed; {{end}} is expected after it'],
    ['\n\n{{end}}', 'Line 3: {{end}} belongs to no block'],
    ['{{.Level', 'Line 1: }} is expected'],
    ['{{"a}}', 'Line 1: a text that begins with " has no end'],
    ['{{/* a', 'Line 1: the comment has no end'],
    ['\n{{.Nope}}', 'Line 2: there is no field .Nope; there are ID, Level'],
    [
      '{{range .Alerts}}{{.CustomFields.a}}{{end}}',
      'Line 1: there is no field .CustomFields of one of .Alerts',
    ],
    ['{{.Level.Name}}', 'Line 1: .Level has no fields'],
    ['{{shell "ls"}}', 'Line 1: there is no function shell; there are and, or'],
    ['{{constructor}}', 'Line 1: there is no function constructor'],
    ['{{__proto__ .Level}}', 'Line 1: there is no function __proto__'],
    ['{{.__proto__}}', 'Line 1: there is no field .__proto__'],
    ['{{upper}}', 'Line 1: upper takes 1 values, not 0'],
    ['{{eq .Level}}', 'Line 1: eq takes 2 to 20 values, not 1'],
    ['{{.Level upper}}', 'Line 1: | or }} is expected after a value'],
    ['{{.Level | .Type}}', 'Line 1: a function such as upper is expected after |'],
    ['{{eq len .Alerts 1}}', 'Line 1: a function among values needs parentheses: (len …) is expected'],
    ['{{(eq .Level "a"}}', 'Line 1: ) is expected'],
    ['{{}}', 'Line 1: a value is expected'],
    ['{{$x := .Level}}', 'Line 1: variables such as $x cannot be used'],
    ['{{with .Level}}a{{end}}', 'Line 1: {{with}} cannot be used; if, else, end and range can'],
    ['{{template "x"}}', 'Line 1: {{template}} cannot be used'],
    ['{{range .Metadata}}a{{end}}', 'Line 1: only .Alerts can be iterated; {{range .Alerts}} is expected'],
    ['{{range .Alerts}}{{range .Alerts}}a{{end}}{{end}}', 'Line 1: '],
    ['{{if .Level}}{{else}}{{else}}{{end}}', 'Line 1: {{end}} is expected here'],
    ['{{.Level}', 'Line 1: }} is expected'],
    ['{{"\\z"}}', 'Line 1: \\z in a text is not understood'],
    ['{{.Level @}}', 'Line 1: "@" is not understood'],
    ['{\n"a" 1}', 'Line 2: a colon is expected in the JSON, not 1'],
    ['{\n"a": {{.Level}}\n"b": 2}', 'Line 3: a comma, } or ] is expected in the JSON, not "'],
    [
      '{"a": nope}',
      'Line 1: nope is not valid JSON; a text in quotes, a number, true, false or null is expected',
    ],
    ['{"a": 1,}', 'Line 1: a name in quotes is expected in the JSON, not }'],
    ['{"a": "x\ny"}', 'Line 1: a text in JSON ends on its line'],
    ['{"a": "\\{{.Level}}"}', 'Line 1: a value cannot follow a backslash'],
    ['{"a": 1', 'Line 1: the JSON ends too early; } is expected'],
    ['{"a": 1} {{.Level}}', 'Line 1: nothing more is expected in the JSON'],
    ['', 'Line 1: the JSON ends too early; a value is expected'],
  ])('%j', (source, problem) => expect(templateProblem(source, [data], 'json')).toContain(problem))

  test('a good one has no problem', () => {
    expect(templateProblem('{"text": "{{.Message}}"}', [data, {}], 'json')).toBeUndefined()
  })
})

describe('[S10] it is bounded', () => {
  test.each([
    ['its length', `{{.Level}}${' '.repeat(70_000)}`, /longer than 64 KB/],
    ['blocks in each other', '{{if .Level}}'.repeat(40) + '{{end}}'.repeat(40), /nested/],
    ['parentheses', `{{${'('.repeat(60)}.Level${')'.repeat(60)}}}`, /parentheses are nested/],
    ['what comes out', `{{range .Alerts}}${'x'.repeat(1000)}{{end}}`, /the result is longer than 64 KB/],
    ['steps', `{{range .Alerts}}${'{{if .Level}}{{end}}'.repeat(400)}{{end}}`, /takes too many steps/],
    [
      'a text in between',
      `{{len (${'printf "%s%s" '.repeat(1)}.Message .Message)}}`,
      /becomes longer than 64 KB/,
    ],
  ])('%s', (_what, source, problem) => {
    const many = {
      Level: 'x',
      Message: 'y'.repeat(40_000),
      Alerts: Array.from({ length: 1000 }, () => ({ Level: 'x' })),
    }
    expect(templateProblem(source, [many], 'text')).toMatch(problem)
  })
})
