const maxPlainLength = 200
/** Pulse's own messages include a remedy and may be a paragraph long. A toast shows no more than this. */
const maxSaidLength = 1_000

/** The message for a failed call: the server's own text if it is short and plain. */
export const errorText = (status: number, body: string): string =>
  saidIn(body) ?? `Request failed with status ${status}`

/** Undefined without a displayable text. */
export function saidIn(body: string): string | undefined {
  const text = body.trim()
  return fromJson(text) ?? fromPre(text) ?? plain(text)
}

function fromJson(text: string): string | undefined {
  if (!text.startsWith('{')) return undefined
  try {
    const { error, message } = JSON.parse(text) as { error?: unknown; message?: unknown }
    return [error, message].find((one): one is string => typeof one === 'string' && isSayable(one))
  } catch {
    return undefined
  }
}

const isSayable = (text: string) => text.trim() !== '' && text.length <= maxSaidLength && !isPage(text)

/**
 * By position instead of one regular expression, because the page may come from any proxy and have any
 * length.
 */
function fromPre(text: string): string | undefined {
  const lower = text.toLowerCase()
  const tag = lower.indexOf('<pre')
  const start = tag === -1 ? -1 : text.indexOf('>', tag)
  const end = start === -1 ? -1 : lower.indexOf('</pre>', start)
  if (end === -1 || end - start > maxSaidLength) return undefined
  return unescapeHtml(text.slice(start + 1, end).replace(/<[^<>]*>/g, '')).trim() || undefined
}

function plain(text: string): string | undefined {
  if (!text || text.length >= maxPlainLength) return undefined
  return isPage(text) || text.startsWith('{') ? undefined : text
}

/** Detects markup, such as `<html`, `</p>` or `<!doctype`, but not `a < b`. */
const isPage = (text: string) => /<[a-z!/]/i.test(text)

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" }

const unescapeHtml = (text: string) =>
  text.replace(/&(amp|lt|gt|quot|#39);/g, (_, name: string) => entities[name]!)
