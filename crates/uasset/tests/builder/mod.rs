//! Writes small packages byte by byte, for tests.

use bp_uasset::Package;

const CORE: [u32; 4] = [0x375E_C13C, 0x06E4_48FB, 0xB500_84F0, 0x262A_717E];
const FRAMEWORK: [u32; 4] = [0xCFFC_743F, 0x43B0_4480, 0x9391_14DF, 0x171D_2073];
pub(crate) const BLUEPRINTS: [u32; 4] = [0xB0D8_32E4, 0x1F89_4F0D, 0xACCF_7EB7, 0x36FD_4AA2];
const RELEASE: [u32; 4] = [0x9C54_D522, 0xA826_4FBE, 0x9421_0746, 0x61B4_82D0];

/// Writes packages of UE 4.27 (`ue5` 0) or 5.x.
pub(crate) struct Builder {
    pub(crate) legacy: i32,
    pub(crate) ue4: i32,
    pub(crate) ue5: i32,
    pub(crate) flags: u32,
    pub(crate) compression: u32,
    pub(crate) engine: [u16; 2],
    pub(crate) custom: Vec<([u32; 4], i32)>,
    names: Vec<String>,
    imports: Vec<Vec<u8>>,
    exports: Vec<(i32, i32, Vec<u8>, Vec<u8>)>,
}

impl Builder {
    pub(crate) fn new(ue5: i32) -> Self {
        Self {
            legacy: -8,
            ue4: 522,
            ue5,
            flags: 0,
            compression: 0,
            engine: [0; 2],
            custom: vec![(BLUEPRINTS, 10), (CORE, 4), (FRAMEWORK, 37), (RELEASE, 44)],
            names: vec!["None".to_owned()],
            imports: Vec::new(),
            exports: Vec::new(),
        }
    }

    /// The bytes of a name, which joins the name table.
    pub(crate) fn name(&mut self, text: &str) -> Vec<u8> {
        let known = self.names.iter().position(|name| name == text);
        let row = known.unwrap_or_else(|| {
            self.names.push(text.to_owned());
            self.names.len() - 1
        });
        [(row as i32).to_le_bytes(), [0; 4]].concat()
    }

    /// An import; gives the reference to it.
    pub(crate) fn import(&mut self, class: &str, outer: i32, name: &str) -> i32 {
        let mut row = [self.name("/Script/CoreUObject"), self.name(class)].concat();
        row.extend(int(outer));
        row.extend(self.name(name));
        row.extend(self.name("None"));
        if self.ue5 >= 1003 {
            row.extend(int(0));
        }
        self.imports.push(row);
        -(self.imports.len() as i32)
    }

    /// The class of that name.
    pub(crate) fn class(&mut self, name: &str) -> i32 {
        let package = self.import("Package", 0, "/Script/Engine");
        self.import("Class", package, name)
    }

    /// An export; gives the reference to it.
    pub(crate) fn export(&mut self, class: i32, outer: i32, name: &str, bytes: Vec<u8>) -> i32 {
        let name = self.name(name);
        self.exports.push((class, outer, name, bytes));
        self.exports.len() as i32
    }

    /// An object that holds these tagged properties and nothing more.
    pub(crate) fn object(&mut self, properties: &[u8]) -> Vec<u8> {
        let mut bytes = Vec::new();
        if self.ue5 >= 1011 {
            bytes.push(0);
        }
        bytes.extend(properties);
        bytes.extend(self.name("None"));
        bytes.extend(int(0));
        bytes
    }

    pub(crate) fn build(&self) -> Vec<u8> {
        // The summary has the same size whatever the places are.
        let names_at = self.summary([0; 4]).len();
        let mut names = Vec::new();
        for name in &self.names {
            names.extend(string(name));
            names.extend(int(0));
        }
        let imports = self.imports.concat();
        let imports_at = names_at + names.len();
        let exports_at = imports_at + imports.len();
        let row_len = self.export_row(&self.exports[0], 0).len();
        let mut body_at = exports_at + row_len * self.exports.len();
        let mut file = self.summary([names_at, exports_at, imports_at, body_at]);
        file.extend(names);
        file.extend(imports);
        for export in &self.exports {
            file.extend(self.export_row(export, body_at));
            body_at += export.3.len();
        }
        for export in &self.exports {
            file.extend(&export.3);
        }
        file
    }

    pub(crate) fn read(&self) -> Package {
        Package::read(self.build()).expect("the package is well formed")
    }

    fn summary(&self, [names, exports, imports, header]: [usize; 4]) -> Vec<u8> {
        let at = |count: usize, place: usize| [int(count as i32), int(place as i32)].concat();
        let mut out = [0x9E2A_83C1_u32.to_le_bytes(), self.legacy.to_le_bytes()].concat();
        out.extend([int(864), int(self.ue4), int(self.ue5), int(0)].concat());
        let has_hash = self.ue5 >= 1016;
        if has_hash {
            out.extend([[0; 20].as_slice(), &int(header as i32)].concat());
        }
        out.extend(int(self.custom.len() as i32));
        for (guid, version) in &self.custom {
            out.extend(guid.iter().flat_map(|word| word.to_le_bytes()));
            out.extend(int(*version));
        }
        if !has_hash {
            out.extend(int(header as i32));
        }
        out.extend(string("/Game/BP_Door"));
        out.extend(self.flags.to_le_bytes());
        out.extend(at(self.names.len(), names));
        if self.ue5 >= 1008 {
            out.extend(at(0, 0));
        }
        out.extend(string(""));
        out.extend(at(0, 0));
        out.extend(at(self.exports.len(), exports));
        out.extend(at(self.imports.len(), imports));
        // Verse cells, place of the metadata; dependencies, soft references, searchable names, thumbnails;
        // type hierarchies; guids of package and its persistent form; generations.
        out.extend(vec![0; if self.ue5 >= 1015 { 16 } else { 0 }]);
        out.extend(vec![0; if self.ue5 >= 1014 { 4 } else { 0 }]);
        out.extend([0; 20]);
        out.extend(vec![0; if self.ue5 >= 1018 { 8 } else { 0 }]);
        out.extend(vec![0; if has_hash { 16 } else { 32 }]);
        out.extend(int(0));
        out.extend(self.engine.iter().flat_map(|part| part.to_le_bytes()));
        out.extend([[0; 6].as_slice(), &string("x")].concat());
        out.extend([[0; 10].as_slice(), &string("x")].concat());
        out.extend(self.compression.to_le_bytes());
        out.extend([0; 4]);
        out
    }

    fn export_row(&self, export: &(i32, i32, Vec<u8>, Vec<u8>), at: usize) -> Vec<u8> {
        let (class, outer, name, bytes) = export;
        let mut row = [
            int(*class),
            int(0),
            int(0),
            int(*outer),
            name.clone(),
            int(0),
        ]
        .concat();
        row.extend((bytes.len() as i64).to_le_bytes());
        row.extend((at as i64).to_le_bytes());
        row.extend([0; 12]);
        row.extend(vec![
            0;
            match self.ue5 {
                ..1005 => 16,
                1005 => 0,
                1006.. => 4,
            }
        ]);
        row.extend([0; 12]);
        if self.ue5 >= 1003 {
            row.extend(int(0));
        }
        row.extend([0; 20]);
        if self.ue5 >= 1010 {
            row.extend([0; 16]);
        }
        row
    }
}

pub(crate) fn int(value: i32) -> Vec<u8> {
    value.to_le_bytes().to_vec()
}

pub(crate) fn string(text: &str) -> Vec<u8> {
    let mut bytes = int(text.len() as i32 + 1);
    bytes.extend(text.bytes());
    bytes.push(0);
    bytes
}

/// A pin type of a category, in the form of 4.27.
pub(crate) fn pin_type(builder: &mut Builder, category: &str) -> Vec<u8> {
    let mut bytes = [
        builder.name(category),
        builder.name("None"),
        int(0),
        vec![0],
    ]
    .concat();
    bytes.extend([0; 8]);
    bytes.extend([int(0), builder.name("None"), vec![0; 16], int(0), int(0)].concat());
    bytes
}
