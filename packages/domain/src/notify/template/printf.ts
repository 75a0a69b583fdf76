import { textOf, type Value } from './values.ts'

const verb = /%([-+ 0#]{0,5})(\d{0,2})(?:\.(\d{0,2}))?([a-zA-Z%])/g

/** `%s %v %d %f %g %e %q %t %x %%` with width and precision up to 99. */
export function printf(format: string, args: readonly Value[]): string {
  let used = 0
  return format.replace(
    verb,
    (_, flags: string, width: string, precision: string | undefined, kind: string) => {
      if (kind === '%') return '%'
      if (used >= args.length) return `%!${kind}(MISSING)`
      const value = args[used++]
      const text = shown(value, kind, precision === undefined ? undefined : Number(precision), flags)
      return padded(text, Number(width), flags, typeof value === 'number')
    },
  )
}

function shown(value: Value, kind: string, precision: number | undefined, flags: string): string {
  const sign = flags.includes('+') && typeof value === 'number' && value >= 0 ? '+' : ''
  const isNumber = typeof value === 'number'
  switch (kind) {
    case 's':
    case 'v':
      return sign + cut(textOf(value), precision)
    case 'd':
      return isNumber ? sign + String(Math.trunc(value)) : wrong(kind, value)
    case 'f':
    case 'F':
      return isNumber ? sign + value.toFixed(precision ?? 6) : wrong(kind, value)
    case 'e':
      return isNumber ? sign + value.toExponential(precision ?? 6) : wrong(kind, value)
    case 'g':
      return isNumber
        ? sign + (precision ? String(Number(value.toPrecision(precision))) : String(value))
        : wrong(kind, value)
    case 't':
      return typeof value === 'boolean' ? String(value) : wrong(kind, value)
    case 'q':
      return JSON.stringify(textOf(value))
    case 'x':
      return isNumber ? Math.trunc(value).toString(16) : wrong(kind, value)
    default:
      return wrong(kind, value)
  }
}

const cut = (text: string, precision: number | undefined): string =>
  precision === undefined ? text : [...text].slice(0, precision).join('')

const wrong = (kind: string, value: Value): string => `%!${kind}(${textOf(value)})`

function padded(text: string, width: number, flags: string, isNumber: boolean): string {
  if (flags.includes('-')) return text.padEnd(width)
  if (!flags.includes('0') || !isNumber) return text.padStart(width)
  const [, sign = '', digits = text] = /^([+-]?)(.*)$/s.exec(text) ?? []
  return sign + digits.padStart(width - sign.length, '0')
}
