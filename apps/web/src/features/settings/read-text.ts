import { toApiError } from '../../api/request.ts'

/** For answers that are files, or whose headers matter. */
export async function readText(answer: Response): Promise<string> {
  const text = await answer.text()
  if (!answer.ok) throw toApiError(answer.status, text)
  return text
}
