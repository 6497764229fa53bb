// The chain that people wire by hand today: engine, page, Readability, text splitter, MiniLM over every chunk.
import { join, sep } from 'node:path'
import { RecursiveCharacterTextSplitter } from '@langchain/textsplitters'
import { Readability } from '@mozilla/readability'
import { env, pipeline } from '@xenova/transformers'
import { JSDOM, VirtualConsole } from 'jsdom'
import { type Browser, chromium } from 'playwright'
import { z } from 'zod'

const RESULTS = 5
const PASSAGES_PER_RESULT = 3
/** About the length of Verbatim's own passages. */
const CHUNK_CHARACTERS = 500

const answerSchema = z.object({ results: z.array(z.object({ url: z.string() })) })

export interface HandWiredOptions {
  /** A SearXNG. */
  engineUrl: string
  /** Folder of the embedding model. */
  modelFolder: string
  /** The Chromium that opens every page, as crawlers for language models do; null fetches the plain HTML. */
  chromiumPath: string | null
}

export async function openHandWired({ engineUrl, modelFolder, chromiumPath }: HandWiredOptions) {
  env.allowRemoteModels = false
  env.localModelPath = `${join(modelFolder, '..')}${sep}`
  const name = modelFolder.split(sep).at(-1) ?? ''
  const embed = await pipeline('feature-extraction', name, { dtype: 'q8', local_files_only: true })
  const browser = chromiumPath === null ? null : await chromium.launch({ executablePath: chromiumPath })
  const splitter = new RecursiveCharacterTextSplitter({ chunkSize: CHUNK_CHARACTERS, chunkOverlap: 0 })

  async function embedAll(texts: string[]): Promise<number[][]> {
    return (await embed(texts, { pooling: 'mean', normalize: true })).tolist()
  }

  return {
    /** The best passages of each of five pages. */
    async search(query: string): Promise<{ url: string; passages: { text: string; score: number }[] }[]> {
      const address = `${engineUrl}/search?format=json&q=${encodeURIComponent(query)}`
      const { results } = answerSchema.parse(await (await fetch(address)).json())
      const urls = results.slice(0, RESULTS).map(({ url }) => url)
      const pages = await Promise.all(urls.map((url) => (browser ? render(browser, url) : fetchHtml(url))))
      const [queryVector = []] = await embedAll([query])
      const answers = []
      for (const [index, url] of urls.entries()) {
        const chunks = await splitter.splitText(mainText(pages[index] ?? '', url))
        const vectors = chunks.length === 0 ? [] : await embedAll(chunks)
        const passages = chunks.map((text, at) => ({ text, score: dot(queryVector, vectors[at] ?? []) }))
        passages.sort((one, other) => other.score - one.score)
        answers.push({ url, passages: passages.slice(0, PASSAGES_PER_RESULT) })
      }
      return answers
    },

    async close(): Promise<void> {
      await Promise.all([embed.dispose(), browser?.close()])
    },
  }
}

const fetchHtml = async (url: string): Promise<string> => (await fetch(url)).text()

async function render(browser: Browser, url: string): Promise<string> {
  const page = await browser.newPage()
  try {
    await page.goto(url, { waitUntil: 'networkidle' })
    return await page.content()
  } finally {
    await page.close()
  }
}

function mainText(html: string, url: string): string {
  const { window } = new JSDOM(html, { url, virtualConsole: new VirtualConsole() })
  const text = new Readability(window.document).parse()?.textContent ?? ''
  window.close()
  return text
}

const dot = (one: readonly number[], other: readonly number[]): number =>
  one.reduce((sum, value, at) => sum + value * (other[at] ?? 0), 0)
