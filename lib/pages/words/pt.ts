import type { PageWords } from './words.ts'

/** Portuguese. */
export const pt: PageWords = {
  done: 'Pronto. Pode fechar esta página.',
  stopped: 'Pronto. Você não receberá mais estes e-mails.',
  newPassword: 'Nova senha',
  passwordRule: ({ min, max }) =>
    `De ${min} a ${max} caracteres. Nem uma senha comum, nem o seu nome, nem o seu endereço de e-mail.`,
  weakPassword: {
    length: ({ min, max }) => `A senha deve ter de ${min} a ${max} caracteres.`,
    common: 'Esta senha é comum ou já foi divulgada. Escolha outra, por favor.',
    own: 'A senha não pode ser o seu nome nem o seu endereço de e-mail.',
  },
  email: 'Endereço de e-mail',
  notAnEmail: 'Isto não é um endereço de e-mail.',
  gone: {
    title: 'Este link já não funciona',
    text: 'Ele foi usado, expirou ou foi substituído por um link mais recente.',
  },
  linkNotWorking: 'O link não funciona?',
  newLink: {
    text: 'Escreva o seu endereço de e-mail e enviaremos um novo link.',
    action: 'Enviar-me um novo link',
  },
  resetLink: {
    title: 'Escolher uma nova senha',
    text: 'Escreva o seu endereço de e-mail e enviaremos um link para escolher uma nova senha.',
    action: 'Enviar-me um link',
  },
  changeAgain:
    'Entre na sua conta e peça de novo a alteração do endereço. Se não consegue entrar, escolha primeiro uma nova senha.',
  undoAgain:
    'Se o endereço antigo já voltou, escolha com ele uma nova senha. Se não foi você quem alterou o endereço e já não consegue entrar, fale conosco imediatamente.',
  sent: {
    title: 'Veja a sua caixa de entrada',
    text: 'Se este endereço pertence a uma conta, um link está a caminho. Veja também entre as mensagens indesejadas.',
  },
  emailTaken: 'Este endereço pertence agora a outra conta. Nada foi alterado.',
  tooMany: 'Houve tentativas demais. Tente de novo mais tarde, por favor.',
  failed: 'Algo correu mal do nosso lado e nada foi alterado. Tente de novo, por favor.',
  stopAgain:
    'Abra o link no fim do nosso e-mail mais recente: este pode estar incompleto. Também pode desligar os e-mails nas definições da sua conta.',
  receiptAgain: 'O link de um recibo funciona durante cinco minutos. Abra de novo o recibo do seu pagamento.',
  noReceipt: 'Não há recibo deste pagamento.',
}
