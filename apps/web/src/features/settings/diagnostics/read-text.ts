import { errorText } from '../../../api/error-text.ts'
import { ApiError } from '../../../api/request.ts'

/** For answers that are files, or whose headers matter. */
export async function readText(answer: Response): Promise<string> {
  const text = await answer.text()
  if (!answer.ok) throw new ApiError(errorText(answer.status, text), answer.status)
  return text
}
