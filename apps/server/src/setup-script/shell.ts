import { quote } from '@pulse/domain'

/** The only place where values enter a script: constants before its first line of code. */
export const constants = (values: Record<string, Parameters<typeof quote>[0]>): string =>
  Object.entries(values)
    .map(([name, value]) => `readonly ${name}=${quote(value)}`)
    .join('\n')
