import type { LookName } from '../portraits/looks.ts'

/** First and last names that fit together, and the look of their users. All combinations are fictional. */
export type NamePool = {
  women: readonly string[]
  men: readonly string[]
  families: readonly string[]
  look: LookName
}

export const namePools = {
  nguni: {
    women: list(
      'Nomsa Zanele Lindiwe Amahle Nokuthula Busisiwe Ntombi Thandeka Nonhlanhla Hlengiwe Ayanda Nandi Zodwa Sibongile Thobeka Nomvula Phindile Khanyisile',
    ),
    men: list(
      'Sipho Bongani Mandla Andile Themba Lwazi Sizwe Vusi Jabu Sandile Musa Thulani Bheki Sbusiso Mthunzi Lungelo Xolani Nhlanhla',
    ),
    families: list(
      'Dlamini Khoza Sithole Zulu Nkosi Mbatha Gqirana Xaba Cele Hadebe Shabalala Mthembu Mkhize Buthelezi Gumede Zondi Mchunu Ntuli Ngcobo Mabaso Ndaba Zwane Khumalo Mthethwa Nxumalo Sibiya',
    ),
    look: 'darkWrap',
  },
  sotho: {
    women: list('Palesa Precious Dineo Keabetswe Lerato Naledi Boitumelo Refilwe Kelebogile Mmabatho Tshepiso Lesedi'),
    men: list('Thabo Kagiso Tebogo Mpho Tumelo Kabelo Lehlohonolo Katlego Neo Thato Karabo Moeketsi'),
    families: list(
      'Mokoena Molefe Motaung Sebati Modise Letsoalo Tshabalala Mahlangu Tau Radebe Maluleke Phiri Seleka Moloi Ramokgopa Lekota Motsoaledi Pitso',
    ),
    look: 'darkWrap',
  },
  zambezi: {
    women: list('Gloria Esther Rosemary Joyce Patience Tendai Chipo Rudo Memory Loveness Mutinta Thokozani'),
    men: list('Tafadzwa Farai Tinashe Chanda Mwansa Blessing Innocent Kondwani Wonder Gift Mayamiko Simba'),
    families: list('Makhanya Banda Chikwanha Phiri Moyo Mabuza Ndlovu Mwale Zimba Mutasa Chirwa Sibanda Tembo Lungu'),
    look: 'darkWrap',
  },
  afrikaans: {
    women: list('Annelise Susan Elmarie Karlien Ilse Mariëtte Riana Hester Liezel Anneke Marguerite Dalena'),
    men: list('Johan Pieter-Willem Willem Riaan Gert Maximiliaan-Alexander Lukas Francois Stefan Deon Hennie Jacques'),
    families: list(
      "Botha|du Toit|Steyn|Venter|Coetzee|van Zyl|Erasmus|Engelbrecht|Marais|Kruger|Labuschagne|Bouwer|le Roux|van der Merwe|Vorster|Swanepoel|Joubert|D'Assonville",
    ),
    look: 'light',
  },
  cape: {
    women: list(
      'Ayesha Fatima Chantelle Marlene Hannah Charmaine Nazeema Shireen Rugaya Bronwyn Zulfa Faldiela Tasneem',
    ),
    men: list('Yusuf Ricardo Imraan Ebrahim Mohammed Wayne Ashraf Riyaad Clint Igshaan Ganief Shaheed Randall'),
    families: list(
      'Parker Jassiem Davids Adonis Fortuin Jacobs Cassiem Abrahams Petersen Salie Ebrahim September Hendricks Isaacs Galant Samsodien Solomons Arendse Behardien February',
    ),
    look: 'mixed',
  },
  durban: {
    women: list('Preshni Kavitha Rukshana Priya Shanti Devi Nirvana Saloshna Thilagavathi Yogeshree Kamala Anusha'),
    men: list('Devan Sivapalan Neville Vishnu Kribendran Logan Perumal Yashveer Dhanasagren Ravi Pravin Selvan'),
    families: list(
      'Pillay Govender Reddy Moosa Chetty Naidoo Maharaj Padayachee Moodley Singh Ramsamy Naicker Bhengu Haffejee Rajbansi Raman',
    ),
    look: 'brown',
  },
  english: {
    women: list('Beatrice Lucy Eleanor Joanne Harriet Gemma Philippa Tracey Imogen Dawn Charlotte Wendy Bryony'),
    men: list('Graham Tom Craig Darren Gary Bartholomew Nigel Callum Rupert Keith Elliot Alistair Wesley Jack'),
    families: list(
      "Whitfield Cavendish-Thornbury Ellery Pike Fairweather Thistlewood Ashworth Quigley Ramsbottom Hartley Outhwaite Sidebottom Larkspur Featherstonehaugh Arkwright Pemberton Birtwistle Nettleship D'Arcy",
    ),
    look: 'light',
  },
  celtic: {
    women: list('Siobhán Carys Nuala Aoife Rhiannon Morag Gráinne Eilidh Bethan Caoimhe'),
    men: list('Declan Seán Gethin Hamish Pádraig Iolo Ruairí Fergus Emyr Conor'),
    families: list(
      "O'Reilly|Murphy|Llewellyn|O'Shaughnessy|Mac Giolla Phádraig|MacAllister|Ó Súilleabháin|ap Gwilym|O'Dowd|Kinsella|Prydderch|M'Gregor|Ní Bhraonáin",
    ),
    look: 'light',
  },
  eastern: {
    women: list('Katarzyna Agnieszka Ioana Magdaléna Zsófia Oksana Božena Małgorzata Ludmila Snežana'),
    men: list('Zoltán Ionuț Łukasz Miloš Andrzej Bogdan István Dragoș Jiří'),
    families: list(
      'Wiśniewska Szabó Nowak Popescu Kowalczyk Dvořák Brzęczyszczykiewicz Horváth Świątek Marinescu Kovačević',
    ),
    look: 'light',
  },
  westAfrican: {
    women: list('Folasade Ngozi Adaeze Abena Efua Chiamaka Aminata Yewande Akosua Oluwatobiloba'),
    men: list("Oluwaseun Kwame Chidi N'Golo Emeka Babajide Kofi Ousmane Temitope Ikechukwu"),
    families: list(
      "Adeyemi Boateng Okonkwo Koné Ogunbanjo Mensah Nwachukwu Diallo N'Diaye Owusu-Ansah Eze Abubakar Oyelowo",
    ),
    look: 'darkWrap',
  },
  southAsian: {
    women: list('Harpreet Sunita Zainab Nusrat Anjali Meera Ruksana Simran Parveen Deepika'),
    men: list('Rajesh Farhan Gurdeep Arjun Imtiaz Jaswinder Vikram Saqib Nadeem Harjit'),
    families: list(
      'Chaudhary Aziz Singh Kaur Patel Ahmed Bhattacharya Hussain Sidhu Venkatanarasimharajuvaripeta Malik Rahman Deshpande',
    ),
    look: 'brownTurban',
  },
  eastAsian: {
    women: list('Mei-Ling Yuki Xiaoming Ji-woo Hương Sakura Siu-fong Min-seo'),
    men: list('Wei Hiroshi Minh Jun-ho Chi-wai Kenji Đức Zhiqiang'),
    families: list('Chow Tanabe Nguyễn Park Zhang Wong Takahashi Kim Trần Ng Ōkubo'),
    look: 'eastAsian',
  },
  levant: {
    women: list('Samira Rania Yasmin Leila Dalia Noor'),
    men: list('Khalid Omid Tariq Karim Samir Bilal'),
    families: list('Khalil Haddad Farahani Mansour el-Amin Ben-David Rezaei'),
    look: 'olive',
  },
  seafaring: {
    women: list('Carla Inga Maren Þórdís Soledad Keʻalohi Luísa Anneliese Ingeborg'),
    men: list("Ólafur Joaquim Widodo José D'Angelo Torvald Sione Mateus Lars"),
    families: list(
      "Ferreira Lindqvist Halvorsen Guðmundsdóttir Kaʻanāʻanā d'Oliveira Tuʻipulotu Sørensen Magalhães Bergström",
    ),
    look: 'light',
  },
} as const satisfies Record<string, NamePool>

export type NamePoolName = keyof typeof namePools

function list(names: string) {
  return names.split(names.includes('|') ? '|' : ' ')
}
