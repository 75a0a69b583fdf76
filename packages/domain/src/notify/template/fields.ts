import { TemplateError } from './template-error.ts'

/** The scope of an action: the top level, or inside `range .Alerts`. */
export type Scope = 'root' | 'alert'

const ofAlert = [
  'ID',
  'Level',
  'Type',
  'ResourceName',
  'ResourceID',
  'Node',
  'Instance',
  'Message',
  'Value',
  'Threshold',
  'ValueFormatted',
  'ThresholdFormatted',
  'StartTime',
  'LastSeen',
  'Duration',
  'ResourceType',
  'Acknowledged',
  'AckTime',
  'AckUser',
  'ResolvedTime',
  'Metadata',
] as const

/** Fields of a template. */
export const templateFields = {
  root: [...ofAlert, 'Timestamp', 'CustomFields', 'AlertCount', 'Alerts', 'ChatID', 'Event', 'EventID'],
  alert: [...ofAlert],
} as const satisfies Record<Scope, readonly string[]>

/** Fields with names that are not known in advance. */
const open = new Set(['Metadata', 'CustomFields'])

export function checkPath(path: readonly string[], scope: Scope, line: number): void {
  const [first, ...more] = path
  if (first === undefined) return
  const known: readonly string[] = templateFields[scope]
  if (!known.includes(first)) {
    const where = scope === 'root' ? '' : ' of one of .Alerts'
    throw new TemplateError(
      line,
      `there is no field .${first.slice(0, 40)}${where}; there are ${known.join(', ')}`,
    )
  }
  if (more.length > 0 && !open.has(first)) {
    throw new TemplateError(line, `.${first} has no fields; it is expected alone`)
  }
}
