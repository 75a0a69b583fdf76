import * as z from 'zod/mini'
import { line } from './channels/fields.ts'

/** A host name or address, with or without a port: `gotify.lan`, `127.0.0.1:8000`, `[::1]:25`. */
const hostName = line(260).check(
  z.regex(
    /^(?:\[[0-9a-fA-F:.]+\]|[^\s/@?#:[\]]+)(?::\d{1,5})?$/,
    'Use a host such as gotify.lan or 127.0.0.1:8000.',
  ),
)

/** Hosts that may be called although the outbound guard would refuse them, such as this machine. */
export const OutboundConfig = z.strictObject({
  allowedHosts: z.array(hostName).check(z.maxLength(200)),
})
export type OutboundConfig = z.infer<typeof OutboundConfig>
