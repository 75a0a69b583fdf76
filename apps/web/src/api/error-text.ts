const maxPlainLength = 200

/** What to tell people about an answer that is not OK: the server's own words when they are short and plain. */
export function errorText(status: number, body: string): string {
  const text = body.trim()
  return fromJson(text) ?? fromPre(text) ?? plain(text) ?? `Request failed with status ${status}`
}

function fromJson(text: string): string | undefined {
  if (!text.startsWith('{')) return undefined
  try {
    const { error, message } = JSON.parse(text) as { error?: unknown; message?: unknown }
    return [error, message].find((one): one is string => typeof one === 'string' && one.trim() !== '')
  } catch {
    return undefined
  }
}

function fromPre(text: string): string | undefined {
  const inner = /<pre[^>]*>([\s\S]*?)<\/pre>/i.exec(text)?.[1]
  return inner === undefined ? undefined : unescapeHtml(inner.replace(/<[^>]*>/g, '')).trim() || undefined
}

function plain(text: string): string | undefined {
  if (!text || text.length >= maxPlainLength) return undefined
  return text.startsWith('<') || text.startsWith('{') ? undefined : text
}

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" }

const unescapeHtml = (text: string) =>
  text.replace(/&(amp|lt|gt|quot|#39);/g, (_, name: string) => entities[name]!)
