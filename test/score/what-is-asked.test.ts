import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { whatIsAsked } from '../../src/score/what-is-asked.ts'

const ASKED = 'How long does the dough rise?'

describe('courtesies around a question are no part of what it asks', () => {
  test.each([
    `Hi, could you please tell me: ${ASKED}`,
    `Hello everyone! Quick question: ${ASKED} Thanks in advance!`,
    `I was wondering: ${ASKED}`,
    `${ASKED} Any help much appreciated. Cheers, Dave`,
    `Ciao ragazzi, ${ASKED} grazie mille a chi mi risponde :)`,
    `${ASKED} С уважением, Анна`,
    `${ASKED} (asking for a friend)`,
    `${ASKED} Need it by tomorrow, thx`,
    `hey all – does anyone know ${ASKED}`,
    `Hallo zusammen, ${ASKED} Vielen Dank im Voraus!`,
    `Kann mir bitte jemand sagen, ${ASKED} Danke, LG`,
    `Bonjour à tous, ${ASKED} merci d’avance`,
    `Hola buenas, alguien sabe ${ASKED} ¡Gracias!`,
    `Ciao a tutti, qualcuno sa ${ASKED} Grazie mille`,
    `Olá pessoal, alguém sabe ${ASKED} Obrigada!`,
    `Hoi allemaal, weet iemand ${ASKED} alvast bedankt`,
    `Привет всем! Подскажите, пожалуйста: ${ASKED} Заранее спасибо`,
    `Merhaba arkadaşlar, ${ASKED} teşekkürler`,
    `你好，请问${ASKED}谢谢`,
    `こんにちは。${ASKED}よろしくお願いします`,
    `안녕하세요, ${ASKED} 감사합니다`,
  ])('%s', (query) => {
    expect(whatIsAsked(query)).toBe(ASKED)
  })
})

describe('a word of courtesy that is the subject stays', () => {
  test.each([
    'how to say thank you',
    'how do you spell merci',
    'hello world in rust',
    'thank you letter after an interview',
    'good morning america host',
    'hey, Jude',
    'please',
    'thanks!',
    'quick question generator',
    'gift ideas for my dad',
    'set up Stripe: thanks page after checkout',
    'what do the French say for danke? Merci or grâce?',
    'in spring, when are roses cut with thanks to the gardener',
    '',
  ])('%s', (query) => {
    expect(whatIsAsked(query)).toBe(query)
  })
})

test('a long question keeps the courtesies that are a small part of it', () => {
  const query =
    'Hi! My oven is thirty years old and my grandmother baked in it every Sunday, how long does the dough rise? Thanks!'
  expect(whatIsAsked(query)).toBe(query)
})

test('a question mark behind the thanks still asks', () => {
  expect(whatIsAsked('when does the dough rise, please?')).toBe('when does the dough rise?')
})

test('what is left of any query is a part of it, and never nothing', () => {
  const word = fc.constantFrom(
    'hi',
    'thanks',
    ',',
    'please',
    'bread',
    'how',
    '谢谢',
    'asap',
    '\n',
    '!',
    'tell me',
  )
  const query = fc.oneof(
    fc.array(word, { minLength: 1, maxLength: 12 }).map((words) => words.join(' ')),
    fc.string({ unit: 'grapheme', maxLength: 60 }),
  )
  fc.assert(
    fc.property(query, (text) => {
      const asked = whatIsAsked(text)
      expect(text === '' || asked !== '').toBe(true)
      expect(text).toContain(asked.endsWith('?') ? asked.slice(0, -1) : asked)
      expect(asked.length).toBeLessThanOrEqual(text.length)
    }),
  )
})
