import { escapedForUrl, pathSegment } from './call.ts'
import { JsonPosition } from './json-position.ts'
import { TemplateError } from './template-error.ts'
import { textOf, UrlEscaped, type Value } from './values.ts'

/** The output format: values are escaped for their position in it. */
export type Target = 'json' | 'url' | 'html' | 'text'

export interface Writer {
  /** text of the template itself */
  literal(text: string, line: number): string
  /** `isFigure`: text that the template formatted, which may be a number */
  value(value: Value, line: number, isFigure: boolean): string
  finish(line: number): void
}

export const writers: Record<Target, () => Writer> = {
  json: jsonWriter,
  url: urlWriter,
  html: () => ({ ...plain, value: (value) => escapedForHtml(textOf(value)) }),
  text: () => ({ ...plain, value: textOf }),
}

const plain: Writer = { literal: (text) => text, value: textOf, finish() {} }

function jsonWriter(): Writer {
  const position = new JsonPosition()
  const written = (text: string, line: number) => {
    position.feed(text, line)
    return text
  }
  return {
    literal: written,
    value(value, line, isFigure) {
      const text = textOf(value)
      switch (position.kind) {
        case 'text':
          return written(JSON.stringify(text).slice(1, -1), line)
        case 'value':
        case 'name':
          return written(position.kind === 'value' ? jsonOf(value, isFigure) : JSON.stringify(text), line)
        case 'token':
          if (/^[A-Za-z0-9+.-]*$/.test(text)) return written(text, line)
          throw new TemplateError(line, 'a value cannot follow a number; put both in quotes')
        case 'escape':
          throw new TemplateError(line, 'a value cannot follow a backslash; write \\\\ for a backslash')
        case 'between':
          if (text === '') return ''
          throw new TemplateError(line, `${position.expectedWords} is expected in the JSON, not a value`)
      }
    },
    finish: (line) => position.finish(line),
  }
}

/** Without surrounding quotes. */
function jsonOf(value: Value, isFigure: boolean): string {
  if (value === undefined || value === null) return 'null'
  if (value instanceof UrlEscaped) return JSON.stringify(value.text)
  if (typeof value === 'number') return Number.isFinite(value) ? String(value) : 'null'
  if (typeof value !== 'string') return JSON.stringify(value) ?? 'null'
  return isFigure && /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/.test(value) ? value : JSON.stringify(value.toWellFormed())
}

function urlWriter(): Writer {
  let before = ''
  const written = (text: string) => {
    before += text
    return text
  }
  return {
    literal: written,
    value(value, line) {
      // the host must be literal, because a value could name another host
      if (!/^https?:\/\/[^/?#]+[/?#]/i.test(before)) {
        throw new TemplateError(line, 'the address up to its first / must be written out')
      }
      if (value instanceof UrlEscaped) return written(value.text)
      const isQuery = before.includes('?') || before.includes('#')
      return written(isQuery ? escapedForUrl(textOf(value)) : pathSegment(textOf(value)))
    },
    finish() {},
  }
}

const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
  '`': '&#96;',
  '=': '&#61;',
}

export const escapedForHtml = (text: string): string =>
  text.replace(/[&<>"'`=]/g, (character) => entities[character]!)
